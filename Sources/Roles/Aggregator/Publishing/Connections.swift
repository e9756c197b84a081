import Pipeline

/// The aggregator's lanes to all who have spoken to it.
final class Connections {
  private let ports: RolePorts
  /// Is told when lanes go up and down.
  private let inbox: any Inbox
  private var workers: [WorkerID: Address] = [:]
  private var outboxes: [Address: Outbox] = [:]
  /// What the owner of each address says, so that nobody else can be met there.
  private var secrets: [Address: LaneSecret] = [:]
  /// Whom something was added for since the last flush, in that order.
  private var unsent: [Address] = []
  /// When each of them spoke last.
  private var heard: [Address: Moment] = [:]
  private var nextLook: Moment
  private var failures = RareReport(everyMilliseconds: lookMilliseconds)
  /// Addresses that were not reached yet, the oldest first; those that were reached since are still in it.
  private var attempts = FIFO<Address>()
  private var reached: Set<Address> = []

  /// Every lane takes sockets and descriptors, and peers can name addresses where nothing listens. More than this are
  /// not tried at a time; who is there is reached sooner.
  private static let mostAttempts = 500
  /// Lanes to clients, which answer at as many addresses as their machine has.
  private static let mostClients = 4_096
  /// How many are ended when there are more, so that they are seldom looked through.
  private static let clientsEndedAtOnce = mostClients / 16

  /// A client that wants something says so every second; one that is silent so long is gone, also when its lane never
  /// came up and so cannot go down.
  private static let longestSilenceMilliseconds: Int64 = 60_000
  private static let lookMilliseconds: Int64 = 10_000

  init(ports: RolePorts, inbox: any Inbox) {
    self.ports = ports
    self.inbox = inbox
    nextLook = ports.clock.now
  }

  /// Connects to new addresses.
  ///
  /// - Returns: False when the address is another's: who meets it there could end or read that one's lane.
  func meet(_ worker: WorkerID, at address: Address, _ secret: LaneSecret) async -> Bool {
    guard await meet(address, secret, about: [.worker(worker)]) else { return false }
    if let former = workers.updateValue(address, forKey: worker), former != address { await forget(former) }
    return true
  }

  func meet(_ address: Address, _ secret: LaneSecret, about subject: [LogField] = []) async -> Bool {
    guard secrets[address] ?? secret == secret else { return false }
    heard[address] = ports.clock.now
    if let known = outboxes[address] {
      known.outlet.receiverSpoke()
      return true
    }
    do {
      outboxes[address] = try await .connect(to: address, notifying: inbox, ports, secret: secret)
      secrets[address] = secret
      attempts.append(address)
      await giveUpOldAttempts()
      await endLanesOfSilentClients()
    } catch {
      failedToConnect(to: address, error, about: subject)
    }
    return true
  }

  /// A peer that names such an address names it again and again.
  private func failedToConnect(to address: Address, _ error: any Error, about subject: [LogField]) {
    guard let times = failures.came(at: ports.clock.now) else { return }
    ports.log.record(
      .warning, "cannot connect",
      subject + [LogField("address", address), LogField("cause", "\(error)"), LogField("times", times)])
  }

  /// A lane to it came up.
  func reached(_ address: Address) {
    if outboxes[address] != nil { reached.insert(address) }
  }

  private func giveUpOldAttempts() async {
    while attempts.count > Self.mostAttempts, let oldest = attempts.popFirst() {
      if !reached.contains(oldest) { await forget(oldest) }
    }
  }

  /// Of too many clients those go that said nothing for longest.
  private func endLanesOfSilentClients() async {
    guard outboxes.count > Self.mostClients else { return }
    let working = Set(workers.values)
    let clients = outboxes.keys.filter { !working.contains($0) }
    guard clients.count > Self.mostClients else { return }
    let now = ports.clock.now
    let known = clients.map { (spoke: self.heard[$0] ?? now, address: $0) }
    let silent = known.sorted { ($0.spoke, $0.address.text) < ($1.spoke, $1.address.text) }
    for client in silent.prefix(Self.clientsEndedAtOnce) { await forget(client.address) }
  }

  func hasLane(to address: Address) -> Bool { outboxes[address] != nil }

  func heard(_ address: Address, within milliseconds: Int64, at now: Moment) -> Bool {
    heard[address].map { now.milliseconds(since: $0) < milliseconds } ?? false
  }

  func forget(_ worker: WorkerID) async {
    if let address = workers.removeValue(forKey: worker) { await forget(address) }
  }

  /// Ends the lanes to clients that are gone.
  ///
  /// - Returns: Where those were.
  func forgetSilent(at now: Moment) async -> [Address] {
    guard now >= nextLook else { return [] }
    nextLook = now.advanced(byMilliseconds: Self.lookMilliseconds)
    let working = Set(workers.values)
    let silent = heard.filter { address, moment in
      now.milliseconds(since: moment) >= Self.longestSilenceMilliseconds && !working.contains(address)
    }
    let gone = silent.keys.sorted { $0.text < $1.text }
    for address in gone { await forget(address) }
    return gone
  }

  func forget(_ address: Address) async {
    heard[address] = nil
    secrets[address] = nil
    reached.remove(address)
    await outboxes.removeValue(forKey: address)?.outlet.close()
  }

  func add(_ message: Message, to worker: WorkerID, laneSequence: UInt64 = 0) {
    guard let address = workers[worker] else { return }
    add(message, to: address, laneSequence: laneSequence)
  }

  func add(_ message: Message, to address: Address, laneSequence: UInt64 = 0) {
    guard let outbox = outboxes[address] else { return }
    outbox.add(message, laneSequence: laneSequence)
    if unsent.last != address { unsent.append(address) }
  }

  /// What was added for this receiver earlier has not left.
  func isSending(to address: Address) -> Bool { outboxes[address]?.isSending ?? false }

  /// What is for this receiver does not wait for the end of the transaction.
  func flush(_ address: Address) {
    outboxes[address]?.flush()
  }

  func flush() {
    for address in unsent { outboxes[address]?.flush() }
    unsent.removeAll(keepingCapacity: true)
  }
}

/// What may wait a few milliseconds for company: acknowledgements and rows. Waking a receiver costs more than
/// what it is told.
struct AckBatch {
  static let delayMilliseconds: Int64 = 5
  static let enough = 64

  private var acknowledged: [WorkerID: [LeaseToken]] = [:]
  private var count = 0
  /// When it must go out; nil when nothing waits.
  private(set) var due: Moment?

  mutating func acknowledge(_ token: LeaseToken, of worker: WorkerID, at now: Moment) {
    acknowledged[worker, default: []].append(token)
    note(0, at: now)
  }

  /// There may be rows for readers, or a reader asked for rows.
  mutating func note(_ rows: Int = 1, at now: Moment) {
    count += rows
    due = due ?? now.advanced(byMilliseconds: Self.delayMilliseconds)
  }

  /// - Parameter isQuiet: No worker is on anything, so that no company can come.
  /// - Returns: What to acknowledge, once it is time or there is enough of it; nil before.
  mutating func take(at now: Moment, isQuiet: Bool) -> [WorkerID: [LeaseToken]]? {
    guard let due, isQuiet || due <= now || count >= Self.enough else { return nil }
    defer { self = AckBatch() }
    return acknowledged
  }
}
