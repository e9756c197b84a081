import LedgerMemory
import Pipeline
import Posix
import Roles

/// Runs the role of each process, and starts it again when it dies.
extension SimulatedFleet {
  func start(_ slot: String) {
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
    process.atDeath { if self.isMember(process) { self.died(slot) } }
    let transport = SimulatedTransport(network: network, process: process)
    let ports = RolePorts(
      transport: transport, clock: SimulatedClock(process: process), random: chance.randomness,
      log: SimulatedLog(trace: trace, name: process.name), executor: loop)
    process.start {
      try await self.run(slot, process, ports)
    } ended: { error in
      guard let error else { return }
      if (error as? LedgerError)?.kind == .fenced, !self.isMember(process) {
        self.trace.record("fenced", process.name)
        return self.state.withLock { $0.fenced += 1 }
      }
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
      at: ports.clock.now, secret: LaneSecret(ports.random), locality: "one", aggregator: Self.address)
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
