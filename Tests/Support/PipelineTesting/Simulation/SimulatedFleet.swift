import LedgerMemory
import Pipeline
import Posix
import Roles

/// The processes of a simulation: starts them, and starts again what dies.
final class SimulatedFleet: Sendable {
  struct State {
    var members: [String: SimulatedProcess] = [:]
    var incarnations: [String: Int] = [:]
    var aggregator: Aggregator?
    var drains: [String: @Sendable () async -> Void] = [:]
    var deaths = 0
    /// Aggregators whose place another one took while they were stopped.
    var usurped: [SimulatedProcess] = []
    /// How many of them have ended because of that.
    var fenced = 0
    /// The leases under which each job was ever sent to a worker.
    var leases: [JobID: Set<LeaseToken>] = [:]
    /// Who ever said hello, in that order.
    var workers: [WorkerID] = []
    /// What each worker last said that it holds, by its address.
    var held: [String: [LeaseToken]] = [:]
    /// Messages that a process may still send before it dies.
    var lastMessages: [String: Int] = [:]
    var rows: [NumberedRow] = []
    /// The producer has all its rows, and is not started again.
    var isComplete = false
    var isOver = false
  }

  static let aggregator = "aggregator"
  static let producer = "producer"
  static let address = Address("sim://aggregator")

  let loop: SimulatedLoop
  let chance: SimulatedChance
  let trace: SimulatedTrace
  let web: SimulatedWeb
  let book: LedgerBook
  private let idleWatch: IdleWatch
  let plan: SimulationPlan
  let ledger = MemoryLedger()
  let state = Lock(State())
  let network: Lock<SimulatedNetwork?> = Lock(nil)

  init(
    _ plan: SimulationPlan, loop: SimulatedLoop, chance: SimulatedChance, trace: SimulatedTrace
  ) {
    self.plan = plan
    self.loop = loop
    self.chance = chance
    self.trace = trace
    web = SimulatedWeb(chance: chance, trace: trace)
    book = LedgerBook(plan.scenario.ledger)
    idleWatch = IdleWatch(plan.scenario, trace: trace)
  }

  var rows: [NumberedRow] { state.withLock { $0.rows } }
  var deaths: Int { state.withLock { $0.deaths } }
  var fenced: Int { state.withLock { $0.fenced } }
  var currentAggregator: Aggregator? { state.withLock { $0.aggregator } }
  var workers: [String] { plan.fetchers + plan.decoders }

  func process(_ slot: String) -> SimulatedProcess? { state.withLock { $0.members[slot] } }

  func openJobs() async -> [LedgerJob] { await ledger.openJobs() }
  func storedRows() async -> [NumberedRow] {
    await ledger.rows(of: plan.batch, after: 0, limit: .max, bytes: .max)
  }

  func deadLetters() async -> [JobID] { (try? await ledger.deadJobs(of: nil, after: nil, limit: .max)) ?? [] }
  func progress(of batch: BatchID) async -> BatchProgress? { await ledger.progress(of: batch) }

  func start(on network: SimulatedNetwork) {
    self.network.withLock { $0 = network }
    for slot in [Self.aggregator] + workers + [Self.producer] {
      loop.schedule(at: loop.now.advanced(byMilliseconds: chance.within(0...300))) { self.start(slot) }
    }
  }

  /// Nothing is started again from here on.
  func end() {
    let members = state.withLock { state in
      state.isOver = true
      return (state.members.values + state.usurped).sorted { $0.name < $1.name }
    }
    for process in members { process.kill() }
  }

  /// The ledger and the weather are good from here on, and no process is stopped.
  func clearUp() {
    book.clearUp()
    let members = state.withLock { state in
      state.lastMessages = [:]
      return state.members.values.sorted { $0.name < $1.name }
    }
    for process in members where process.isStopped { process.resume() }
  }

  func kill(_ slot: String) {
    guard let process = process(slot), process.isAlive else { return }
    trace.record("killed", process.name)
    process.kill()
  }

  /// Asks a worker to end when it has nothing left to do.
  func drain(_ slot: String) {
    guard let process = process(slot), process.isAlive,
      let drain = state.withLock({ $0.drains[slot] })
    else { return }
    trace.record("drains", process.name)
    Task(executorPreference: loop) { await drain() }
  }

  func stop(_ slot: String, forMilliseconds duration: Int64) {
    guard let process = process(slot), process.isAlive, !process.isStopped else { return }
    trace.record("stopped", process.name, duration)
    process.stop()
    if duration > 10_000 {
      loop.schedule(at: loop.now.advanced(byMilliseconds: 10_000)) {
        self.network.withLock { $0 }?.gaveUp(on: process)
      }
    }
    loop.schedule(at: loop.now.advanced(byMilliseconds: duration)) {
      self.trace.record("goes on", process.name)
      process.resume()
    }
  }

  /// The aggregator stands still, another one takes over, and the first goes on as if nothing had happened.
  func usurp(forMilliseconds duration: Int64) {
    guard let process = process(Self.aggregator), process.isAlive, !process.isStopped else { return }
    trace.record("stopped, and taken for dead", process.name, duration)
    process.stop()
    state.withLock { $0.usurped.append(process) }
    network.withLock { $0 }?.evict(process)
    start(Self.aggregator)
    loop.schedule(at: loop.now.advanced(byMilliseconds: duration)) {
      self.trace.record("goes on", process.name)
      process.resume()
    }
  }

  /// It has this place still.
  func isMember(_ process: SimulatedProcess) -> Bool { self.process(process.slot) === process }

  /// Arms the death of a process in the middle of what it says.
  func dieAfter(_ messages: Int, _ process: SimulatedProcess) {
    state.withLock { $0.lastMessages[process.name] = messages }
  }

  func sends(_ process: SimulatedProcess) {
    let isLast = state.withLock { state in
      guard let left = state.lastMessages[process.name] else { return false }
      state.lastMessages[process.name] = left - 1
      return left <= 0
    }
    guard isLast, process.isAlive else { return }
    trace.record("killed in the middle of a sentence", process.name)
    process.kill()
  }

  /// Every lease that was ever sent to a worker, in a fixed order.
  var allLeases: [(job: JobID, token: LeaseToken)] {
    state.withLock { $0.leases }.sorted { $0.key < $1.key }
      .flatMap { job, tokens in tokens.sorted().map { (job, $0) } }
  }

  var workerIDs: [WorkerID] { state.withLock { $0.workers } }

  /// How many leases there were on a job.
  func leases(on job: JobID) -> Int { state.withLock { $0.leases[job]?.count ?? 0 } }

  /// What the workers that live say that they hold, by process.
  var held: [String: [LeaseToken]] {
    let (held, members) = state.withLock { ($0.held, $0.members) }
    let alive = Set(members.values.filter(\.isAlive).map { "sim://\($0.name)" })
    return held.filter { alive.contains($0.key) }
  }

  func waits(_ process: SimulatedProcess) async {
    guard process.slot == Self.aggregator, isMember(process), let aggregator = currentAggregator else {
      return
    }
    await idleWatch.look(at: aggregator, of: process) { [ledger] in
      await ledger.page(JobQuery(.ready)).items
    }
  }

  /// - Returns: False when all is over, and no process starts any more.
  func adopts(_ process: SimulatedProcess) -> Bool {
    state.withLock { state in
      if !state.isOver { state.members[process.slot] = process }
      return !state.isOver
    }
  }

  func received(_ envelope: Envelope, _ process: SimulatedProcess) {
    switch envelope.message {
    case .job(let order):
      state.withLock { _ = $0.leases[order.job.id, default: []].insert(order.lease.token) }
    case .hello(let hello):
      guard process.slot == Self.aggregator, isMember(process) else { return }
      state.withLock { state in
        state.held[hello.address.text] = hello.held
        if !state.workers.contains(hello.worker) { state.workers.append(hello.worker) }
      }
    case .roster, .credit, .submit, .receipt, .document, .result, .ack, .giveBack, .cancel, .drain, .bye,
      .query, .answer, .ask, .tell, .hostSlotRequest, .hostSlotGrant:
      break
    }
  }

  /// A document can kill its decoder.
  func reads(_ document: Document, _ process: SimulatedProcess) {
    guard SimulatedLink(url: document.url) == .venom, process.isAlive else { return }
    trace.record("killed by what it read", process.name)
    process.kill()
  }
}
