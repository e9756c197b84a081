import LedgerMemory
import Pipeline
import Posix
import Roles

/// The processes of a simulation: starts them, and starts again what dies.
final class SimulatedFleet: Sendable {
  private struct State {
    var members: [String: SimulatedProcess] = [:]
    var incarnations: [String: Int] = [:]
    var aggregator: Aggregator?
    var drains: [String: @Sendable () async -> Void] = [:]
    var deaths = 0
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
  private let ledger = MemoryLedger()
  private let state = Lock(State())
  private let network: Lock<SimulatedNetwork?> = Lock(nil)

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
  var currentAggregator: Aggregator? { state.withLock { $0.aggregator } }
  var workers: [String] { plan.fetchers + plan.decoders }

  func process(_ slot: String) -> SimulatedProcess? { state.withLock { $0.members[slot] } }

  func openJobs() async -> [OpenJob] { await ledger.openJobs(.all, after: nil, limit: .max) }
  func storedRows() async -> [NumberedRow] {
    await ledger.rows(of: plan.batch, after: 0, limit: .max, bytes: .max)
  }

  func deadLetters() async -> [JobID] { await ledger.deadJobs(of: nil, after: nil, limit: .max) }
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
      return state.members.values.sorted { $0.name < $1.name }
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
    guard process.slot == Self.aggregator, let aggregator = currentAggregator else { return }
    await idleWatch.look(at: aggregator, of: process) { [ledger] in
      await ledger.openJobs(.ready, after: nil, limit: .max)
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
      guard process.slot == Self.aggregator else { return }
      state.withLock { state in
        state.held[hello.address.text] = hello.held
        if !state.workers.contains(hello.worker) { state.workers.append(hello.worker) }
      }
    case .roster, .credit, .submit, .receipt, .document, .result, .ack, .giveBack, .cancel, .drain, .bye,
      .query, .answer, .hostSlotRequest, .hostSlotGrant:
      break
    }
  }

  /// A document can kill its decoder.
  private func reads(_ document: Document, _ process: SimulatedProcess) {
    guard SimulatedLink(url: document.url) == .venom, process.isAlive else { return }
    trace.record("killed by what it read", process.name)
    process.kill()
  }
}

// One process after another.
extension SimulatedFleet {
  private func start(_ slot: String) {
    guard let network = network.withLock({ $0 }) else { return }
    let incarnation: Int? = state.withLock { state in
      guard !state.isOver, !(slot == Self.producer && state.isComplete) else { return nil }
      state.incarnations[slot, default: 0] += 1
      return state.incarnations[slot, default: 0]
    }
    guard let incarnation else { return }
    let process = SimulatedProcess(slot: slot, incarnation: incarnation, loop: loop)
    state.withLock { state in
      state.members[slot] = process
      state.drains[slot] = nil
    }
    trace.record("started", process.name)
    process.atDeath { self.died(slot) }
    let transport = SimulatedTransport(network: network, process: process)
    let ports = RolePorts(
      transport: transport, clock: SimulatedClock(process: process), random: chance.randomness,
      log: SimulatedLog(trace: trace, name: process.name), executor: loop)
    process.start {
      try await self.run(slot, process, ports)
    } ended: { error in
      guard let error else { return }
      self.trace.complain("\(process.name) ended by itself: \(error)")
    }
  }

  private func died(_ slot: String) {
    let isMissed = state.withLock { state in
      let isMissed = !state.isOver && !(slot == Self.producer && state.isComplete)
      if isMissed { state.deaths += 1 }
      return isMissed
    }
    guard isMissed else { return }
    loop.schedule(at: loop.now.advanced(byMilliseconds: chance.within(50...2_000))) { self.start(slot) }
  }

  private func run(_ slot: String, _ process: SimulatedProcess, _ ports: RolePorts) async throws {
    switch slot {
    case Self.aggregator: try await runAggregator(process, ports)
    case Self.producer: try await runProducer(process, ports)
    case _ where plan.fetchers.contains(slot): try await runFetcher(process, ports)
    default: try await runDecoder(process, ports)
    }
  }

  private func runAggregator(_ process: SimulatedProcess, _ ports: RolePorts) async throws {
    let ledger = SimulatedLedger(
      store: ledger, book: book, process: process, chance: chance, trace: trace,
      dieAfter: { self.dieAfter($0, process) })
    let aggregator = Aggregator(
      settings: plan.aggregator, inbox: try await ports.transport.bind(Self.address), ledger: ledger,
      ports: ports)
    state.withLock { $0.aggregator = aggregator }
    try await aggregator.run()
  }

  private func runFetcher(_ process: SimulatedProcess, _ ports: RolePorts) async throws {
    let fetcher = Fetcher(
      settings: plan.fetcher, identity: identity(ports),
      inbox: try await ports.transport.bind(Address("sim://\(process.name)")), ports: ports,
      fetching: SimulatedFetching(web: web, process: process))
    state.withLock { $0.drains[process.slot] = { await fetcher.drain() } }
    try await fetcher.run()
  }

  private func runDecoder(_ process: SimulatedProcess, _ ports: RolePorts) async throws {
    let decoder = Decoder(
      identity: identity(ports), inbox: try await ports.transport.bind(Address("sim://\(process.name)")),
      ports: ports, window: plan.decoderWindow, reading: { self.reads($0, process) })
    state.withLock { $0.drains[process.slot] = { await decoder.drain() } }
    try await decoder.run()
  }

  private func identity(_ ports: RolePorts) -> WorkerIdentity {
    WorkerIdentity(
      worker: WorkerID(ports.random.uuid(at: ports.clock.now)), cell: "one", aggregator: Self.address)
  }

  private func runProducer(_ process: SimulatedProcess, _ ports: RolePorts) async throws {
    state.withLock { $0.rows = [] }
    let producer = Producer(
      settings: plan.producer, inbox: try await ports.transport.bind(Address("sim://\(process.name)")),
      aggregator: Self.address, ports: ports)
    let feed = SimulatedFeed(
      plan.jobs.entries.map(\.draft), chance: chance, clock: SimulatedClock(process: process))
    try await producer.run(feed) { rows in
      guard process.isAlive else { throw CancellationError() }
      self.state.withLock { $0.rows += rows }
    }
    guard process.isAlive else { return }
    trace.record("complete", process.name)
    state.withLock { $0.isComplete = true }
    loop.finish()
  }
}

/// Writes what a role logs into the trace.
private struct SimulatedLog: Log {
  let trace: SimulatedTrace
  let name: String

  func record(_ level: LogLevel, _ message: StaticString, _ metadata: [LogField]) {
    guard level > .debug else { return }
    trace.record(message, "\(name) \(metadata.map { "\($0.name) \($0.value)" }.joined(separator: ", "))")
  }
}
