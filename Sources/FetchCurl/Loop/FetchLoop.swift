internal import Curl
internal import Pipeline
internal import Posix

/// The thread's work: takes orders, lets libcurl perform them, keeps the limits, delivers the answers.
final class FetchLoop {
  typealias Answer = (order: FetchOrder, result: Result<FetchResponse, Failure>)

  let settings: CurlSettings
  let mailbox: Mailbox
  let multi: MultiHandle
  let room: BodyRoom
  private let scratch = CodingScratch()
  let traffic = TrafficBook()
  var shortage: Shortage
  var transfers: [Transfer] = []
  var freeTags: [Int] = []
  var waiting = WaitingOrders()
  var lookups: [Lookup] = []
  var collected: [CollectedResponse] = []
  /// The one that a thread decodes now, also after its caller gave up.
  var decoding: CollectedResponse?
  var answers: [Answer] = []
  var nextSweep: Int64 = 0
  /// Threads that wait for the system's resolver; some for longer than any transfer waits.
  var askedNames = 0
  private var content = Mailbox.Content()
  private static let mostRounds = 32

  /// Runs until the mailbox is stopped; whatever happens, every order taken is answered.
  static func run(_ settings: CurlSettings, _ mailbox: Mailbox, _ memory: LargeBodyMemory) {
    do throws(CurlError) {
      let loop = try FetchLoop(settings, mailbox, memory)
      loop.endAll(because: loop.run())
    } catch {
      let closing = Closing(error)
      let content = mailbox.close(because: closing)
      for order in content.orders { order.finish(.failure(closing.failure(for: order.request))) }
      for job in content.jobs { job.runAnywhere() }
    }
  }

  private init(
    _ settings: CurlSettings, _ mailbox: Mailbox, _ memory: LargeBodyMemory
  ) throws(CurlError) {
    self.settings = settings
    self.mailbox = mailbox
    room = BodyRoom(memory)
    shortage = Shortage(most: max(settings.transfers, 1))
    multi = try MultiHandle()
    try multi.limitConnections(to: settings.mostConnections)
    mailbox.open(multi.waker)
  }

  private func run() -> Closing {
    do throws(CurlError) {
      while true {
        guard takeContent() else { return .shutdown }
        startWaiting()
        try multi.perform()
        collectFinished()
        sweepWhenDue()
        deliver()
        if mailbox.isIdle() { try multi.wait(milliseconds: waitMilliseconds()) }
      }
    } catch {
      return Closing(error)
    }
  }

  /// What a job does makes further jobs: they run before the next look at the network, but not for ever.
  ///
  /// - Returns: Whether the loop goes on.
  private func takeContent() -> Bool {
    for _ in 0..<Self.mostRounds {
      content.removeAll()
      mailbox.takeContent(into: &content)
      accept(content)
      if content.isStopping { return false }
      if content.jobs.isEmpty { break }
    }
    return true
  }

  private func accept(_ content: Mailbox.Content) {
    for job in content.jobs { job.run(for: mailbox) }
    for order in content.orders { waiting.append(order) }
    for lookup in content.lookups { settle(lookup.ticket, lookup.answer) }
    for body in content.bodies { settle(body) }
    decodeNext()
    if content.hasCancellations { endCancelled() }
  }

  private func startWaiting() {
    defer { room.wanted = waiting.wantedRoom }
    while isRoom, let order = waiting.next(room: room.free) {
      if order.ticket.isCancelled {
        answers.append((order, .failure(order.request.cancellation(at: .queue))))
        continue
      }
      let now = SystemTime.monotonicMicroseconds
      guard now < order.deadline else {
        answers.append((order, .failure(order.timeout(at: .queue, "waiting for its turn", now: now))))
        continue
      }
      if settings.proxy != nil, !order.isGuarded {
        guardName(of: order)
        continue
      }
      do throws(CurlError) {
        try start(order)
      } catch {
        answers.append((order, .failure(Closing(error).failure(for: order.request))))
      }
    }
  }

  var activeTransfers: Int { transfers.count - freeTags.count }

  var isRoom: Bool {
    activeTransfers < shortage.mostTransfers && (settings.proxy == nil || mayAskForNames)
  }

  private func start(_ order: FetchOrder) throws(CurlError) {
    if freeTags.isEmpty {
      transfers.append(try newTransfer(tag: transfers.count))
      freeTags.append(transfers.count - 1)
    }
    guard let tag = freeTags.popLast() else { return }
    do throws(CurlError) {
      try transfers[tag].take(order)
      try multi.add(transfers[tag].easy, tag: tag)
    } catch {
      _ = transfers[tag].release()
      freeTags.append(tag)
      throw error
    }
  }

  private func collectFinished() {
    while let (tag, code) = multi.nextFinished() {
      guard transfers.indices.contains(tag), let order = transfers[tag].order else { continue }
      switch transfers[tag].ended(with: code, order: order) {
      case .answer(let result): end(transfers[tag], result)
      case .nameUnknown(let ending):
        let start = transfers[tag].receiver.phaseStarted
        if let order = free(transfers[tag]) { explain(ending, for: order, since: start) }
      case .collected(let response):
        if free(transfers[tag]) != nil { decode(response) }
      case .noRoom(let share):
        if let order = free(transfers[tag]) { waiting.append(order.again(room: share)) }
      case .shortage(let failure):
        if let order = free(transfers[tag]) { putOff(order, because: failure) }
      }
    }
  }

  func end(_ transfer: Transfer, _ result: Result<FetchResponse, Failure>) {
    guard let order = free(transfer) else { return }
    answers.append((order, result))
  }

  private func free(_ transfer: Transfer) -> FetchOrder? {
    guard let order = transfer.release() else { return nil }
    multi.remove(transfer.easy)
    if transfer.easy.systemError != nil { renew(transfer.tag) }
    freeTags.append(transfer.tag)
    return order
  }

  /// libcurl keeps a handle's last system error, which must not be taken for that of a later exchange. There may be one
  /// however the exchange ended: a connection that was lost is made anew, and of several addresses one is enough.
  private func renew(_ tag: Int) {
    if let fresh = try? newTransfer(tag: tag) { transfers[tag] = fresh }
  }

  private func newTransfer(tag: Int) throws(CurlError) -> Transfer {
    try Transfer(tag: tag, settings: settings, room: room, scratch: scratch, traffic: traffic)
  }
}

/// Everything that ends an exchange from this side.
extension FetchLoop {
  private static let sweepMicroseconds: Int64 = 50_000
  private static let idleMilliseconds = 600_000

  /// Limits are looked at every 50 ms, not at every wake-up.
  func sweepWhenDue() {
    let now = SystemTime.monotonicMicroseconds
    guard now >= nextSweep else { return }
    nextSweep = now + Self.sweepMicroseconds
    for transfer in transfers {
      transfer.receiver.lookForHandshake()
      if let result = transfer.overdue(at: now) ?? excess(of: transfer) { end(transfer, result) }
    }
    endShortage(at: now)
    for order in waiting.take(where: { now >= $0.deadline }) {
      answers.append((order, .failure(order.timeout(at: .queue, "waiting for its turn", now: now))))
    }
    for entry in takeCollected(where: { now >= $0.deadline }) {
      answers.append((entry.order, .success(entry.overdue(at: now))))
    }
    for lookup in lookups.take(where: { now >= $0.limit }) {
      let failure = lookup.overdue(limitMilliseconds: settings.nameLookupLimit)
      answers.append((lookup.order, .failure(failure)))
    }
  }

  /// The answer of an exchange whose connection receives more than it may; nil mostly.
  private func excess(of transfer: Transfer) -> Result<FetchResponse, Failure>? {
    guard let order = transfer.order, let connection = transfer.receiver.connection else { return nil }
    guard transfer.receiver.isWatched else {
      transfer.receiver.isWatched = true
      return nil
    }
    guard traffic.bytesPerExchange(on: connection) > Int64(settings.trafficCapBytes) else { return nil }
    return transfer.flooded(order)
  }

  func waitMilliseconds() -> Int {
    if waiting.hasNext(room: room.free), isRoom { return 0 }
    let isIdle =
      freeTags.count == transfers.count && lookups.isEmpty && collected.isEmpty && waiting.isEmpty
    guard !isIdle else { return Self.idleMilliseconds }
    let left = nextSweep - SystemTime.monotonicMicroseconds
    return Int(max(left, 0) / 1_000) + 1
  }

  func endCancelled() {
    end(where: { $0.ticket.isCancelled }, as: { $0.cancellation(at: $1) })
  }

  /// The last act of the thread.
  func endAll(because closing: Closing) {
    let content = mailbox.close(because: closing)
    for job in content.jobs { job.runAnywhere() }
    for order in content.orders { waiting.append(order) }
    end(where: { _ in true }, as: { request, _ in closing.failure(for: request) })
    deliver()
  }

  /// Ends the orders that meet the condition, wherever they are.
  private func end(
    where condition: (FetchOrder) -> Bool, as failure: (FetchRequest, Stage) -> Failure
  ) {
    for order in waiting.take(where: condition) {
      answers.append((order, .failure(failure(order.request, .queue))))
    }
    for transfer in transfers {
      guard let order = transfer.order, condition(order) else { continue }
      end(transfer, .failure(failure(order.request, transfer.receiver.phase.stage)))
    }
    for entry in takeCollected(where: condition) {
      answers.append((entry.order, .failure(failure(entry.order.request, .body))))
    }
    for lookup in lookups.take(where: { condition($0.order) }) {
      answers.append((lookup.order, .failure(failure(lookup.order.request, .dns))))
    }
  }

  func deliver() {
    for answer in answers { answer.order.finish(answer.result) }
    answers.removeAll(keepingCapacity: true)
  }
}

/// How many transfers there may be at a time while the system has no descriptors, buffers or ports for more.
struct Shortage {
  /// How long fewer are made before all are tried again.
  private static let microseconds: Int64 = 5_000_000

  private let most: Int
  private(set) var mostTransfers: Int
  private var until: Int64 = .max

  init(most: Int) { (self.most, mostTransfers) = (most, most) }

  mutating func began(with transfers: Int, at now: Int64) {
    mostTransfers = max(1, min(transfers, mostTransfers))
    until = now + Self.microseconds
  }

  /// Whether it is over since the last time.
  mutating func isOver(at now: Int64) -> Bool {
    guard now >= until else { return false }
    (mostTransfers, until) = (most, .max)
    return true
  }
}

extension FetchLoop {
  /// It waits for one of the others to end. Where there is none, waiting here would not help.
  func putOff(_ order: FetchOrder, because failure: Failure) {
    guard activeTransfers > 0 else {
      answers.append((order, .failure(failure)))
      return
    }
    shortage.began(with: activeTransfers, at: SystemTime.monotonicMicroseconds)
    // Idle connections have descriptors too: libcurl closes them to keep to this.
    try? multi.limitConnections(to: shortage.mostTransfers)
    waiting.append(order)
  }

  func endShortage(at now: Int64) {
    if shortage.isOver(at: now) { try? multi.limitConnections(to: settings.mostConnections) }
  }
}
