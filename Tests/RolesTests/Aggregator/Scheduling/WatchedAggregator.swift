import LedgerMemory
import Pipeline
import PipelineTesting
import Posix

@testable import Roles

/// An aggregator on a clock that moves when nothing else does, with an inbox that plays its producers and its only
/// fetcher. Before each turn the inbox looks whether a slot is free although a job could run.
final class WatchedAggregator: Inbox {
  struct Submission {
    var batch: BatchID
    var inputs: [String]
    /// Milliseconds after the start.
    var at: Int64 = 0
    var terms: BatchTerms?
  }

  /// How a host answers.
  struct Manner {
    var milliseconds: Int64
    /// One answer of so many is 429, and asks for a minute's pause; 0 for none.
    var peaceAfter = 0
    /// Every answer is 503.
    var isDown = false
  }

  struct Started: Hashable {
    var job: Job
    var host: String
    /// Milliseconds after the start.
    var at: Int64
  }

  private struct State {
    var submissions: [Submission]
    var running: [LeaseToken: (order: JobOrder, host: String, until: Moment)] = [:]
    var pausedUntil: [String: Moment] = [:]
    var answered: [String: Int] = [:]
    var started: [Started] = []
    var received: UInt64 = 0
    var sequence: UInt32 = 0
    var helloAt: Moment?
    var idleTurns = 0
    var mostIdleTurns = 0
    var sleptIdly: String?
    var mostInMemory = 0
  }

  private let aggregator = Lock<Aggregator?>(nil)

  let address = Address("inproc://aggregator")
  let clock = ManualClock(isStepping: true)
  let ledger: any Ledger
  private let settings: AggregatorSettings
  private let window: Int
  private let manner: @Sendable (String) -> Manner
  private let isOver: @Sendable ([Started]) -> Bool
  private let looks: Bool
  private let state: Lock<State>
  private let worker = WorkerID.numbered(1)
  private let fetcher = Address("inproc://fetcher")
  private let start: Moment

  /// - Parameters:
  ///   - looks: Whether to look for idle slots: that reads all ready jobs before each turn.
  ///   - isOver: Asked with all that was started so far.
  init(
    _ settings: AggregatorSettings, ledger: any Ledger = MemoryLedger(), window: Int,
    _ submissions: [Submission], looks: Bool = true,
    manner: @escaping @Sendable (String) -> Manner, until isOver: @escaping @Sendable ([Started]) -> Bool
  ) {
    (self.settings, self.ledger, self.window) = (settings, ledger, window)
    (self.manner, self.isOver, self.looks) = (manner, isOver, looks)
    state = Lock(State(submissions: submissions))
    start = clock.now
  }

  var started: [Started] { state.withLock { $0.started } }
  /// The most turns in a row before which a slot was free and a job could have run.
  var mostIdleTurns: Int { state.withLock { $0.mostIdleTurns } }
  /// The aggregator was to wait although something could run.
  var sleptIdly: String? { state.withLock { $0.sleptIdly } }
  /// The most jobs that the aggregator had in memory between two turns.
  var mostInMemory: Int { state.withLock { $0.mostInMemory } }

  func run() async throws {
    let ports = RolePorts(transport: WatchedTransport(aggregator: self), clock: clock, random: .seeded(1))
    let aggregator = Aggregator(settings: settings, inbox: self, ledger: ledger, ports: ports)
    self.aggregator.withLock { $0 = aggregator }
    defer { self.aggregator.withLock { $0 = nil } }
    do { try await aggregator.run() } catch is CancellationError {}
  }

  func sent(_ envelopes: [Envelope], to address: Address) {
    guard address == fetcher else { return }
    let now = clock.now
    state.withLock { state in
      for case .job(let order) in envelopes.map(\.message) {
        let host = Self.host(of: order.job)
        state.received += 1
        state.started.append(Started(job: order.job, host: host, at: now.milliseconds(since: start)))
        state.running[order.lease.token] = (
          order, host, now.advanced(byMilliseconds: manner(host).milliseconds)
        )
      }
    }
  }

  func receive(atMost limit: Int, until moment: Moment?) async throws -> [Delivery] {
    if looks { await look(before: moment) }
    if isOver(started) { throw CancellationError() }
    if await isAllOver() { throw CancellationError() }
    let due = deliveries()
    guard due.isEmpty else { return due }
    if let moment, moment <= clock.now { return [] }
    let next = state.withLock { state in
      let ends = state.running.values.map(\.until)
      let comes = state.submissions.map { start.advanced(byMilliseconds: $0.at) }
      return (ends + comes + [state.helloAt, moment].compactMap { $0 }).min()
    }
    if let next { try await clock.sleep(until: next) }
    return deliveries()
  }

  func note(_ notice: LaneNotice) async {}
  func close() async {}

  private func isAllOver() async -> Bool {
    guard state.withLock({ $0.submissions.isEmpty }) else { return false }
    return (try? await ledger.summary(batches: 0).jobs.open) == 0
  }

  /// Whether a slot is free while a job of the ledger could have it.
  private func look(before wake: Moment?) async {
    guard let ready = try? await ledger.page(JobQuery(.ready)).items else { return }
    let now = clock.now
    let inMemory = await aggregator.withLock { $0 }?.leakCounts["jobs"] ?? 0
    state.withLock { state in
      state.mostInMemory = max(state.mostInMemory, inMemory)
      var busy: [String: Int] = [:]
      for job in state.running.values { busy[job.host, default: 0] += 1 }
      let runnable = ready.first { open in
        let host = Self.host(of: open.job)
        return busy[host, default: 0] < settings.perHost && state.pausedUntil[host] ?? now <= now
      }
      let isIdle = state.helloAt != nil && state.running.count < window && runnable != nil
      state.idleTurns = isIdle ? state.idleTurns + 1 : 0
      state.mostIdleTurns = max(state.mostIdleTurns, state.idleTurns)
      if isIdle, wake ?? .distantFuture > now, state.sleptIdly == nil {
        state.sleptIdly =
          "\(runnable?.job.input ?? "") could run, and \(state.running.count) of \(window) did, after \(state.started.count)"
      }
    }
  }

  private func deliveries() -> [Delivery] {
    let now = clock.now
    return state.withLock { state in
      var messages: [Message] = []
      while let first = state.submissions.first, start.advanced(byMilliseconds: first.at) <= now {
        state.submissions.removeFirst()
        messages += submits(first, &state)
      }
      let ended = state.running.filter { $0.value.until <= now }.sorted { $0.key < $1.key }
      for (token, run) in ended {
        state.running[token] = nil
        messages.append(.result(result(of: run.order, run.host, at: now, &state)))
      }
      let granted = state.received - UInt64(state.running.count) + UInt64(window)
      if !ended.isEmpty { messages.append(.credit(Credit(from: worker, granted: granted))) }
      if state.helloAt ?? now <= now {
        state.helloAt = now.advanced(byMilliseconds: 2_000)
        let held = state.running.keys.sorted()
        messages.append(
          .hello(
            Hello(
              worker: worker, role: .fetcher, locality: "here", address: fetcher, granted: granted,
              received: state.received, held: held, executing: held)))
      }
      return messages.map { .envelope(Envelope.said($0)) }
    }
  }

  private func submits(_ submission: Submission, _ state: inout State) -> [Message] {
    let jobs = submission.inputs.enumerated().map { index, input in
      Job(batch: submission.batch, ordinal: UInt64(index), kind: .unfurl, input: input)
    }
    return stride(from: 0, to: jobs.count, by: 256).map { index in
      state.sequence += 1
      return .submit(
        Submit(
          batch: submission.batch, sequence: state.sequence, replyTo: Address("inproc://producer"),
          jobs: Array(jobs[index..<min(index + 256, jobs.count)]), terms: index == 0 ? submission.terms : nil)
      )
    }
  }

  private func result(
    of order: JobOrder, _ host: String, at now: Moment, _ state: inout State
  ) -> JobResult {
    state.answered[host, default: 0] += 1
    var failure: Failure?
    let peace = manner(host).peaceAfter
    if peace > 0, state.answered[host, default: 0] % peace == 0 {
      failure = Failure(
        .httpStatus, at: .headers, "429", retryable: false, retryAfterMilliseconds: 60_000)
      state.pausedUntil[host] = now.advanced(byMilliseconds: 60_000)
    }
    if manner(host).isDown { failure = Failure(.httpStatus, at: .headers, "503", retryable: true) }
    return JobResult(
      job: order.job.id, sender: worker, lease: order.lease, failure: failure, failedHost: host,
      members: [], milliseconds: 0)
  }

  private static func host(of job: Job) -> String {
    (job.input ?? "").split(separator: "/").dropFirst().first.map(String.init) ?? ""
  }
}

extension Moment {
  fileprivate static var distantFuture: Moment { Moment(unixMilliseconds: .max) }
}

private struct WatchedTransport: Transport {
  let aggregator: WatchedAggregator

  func bind(_ address: Address) async throws -> any Inbox { aggregator }

  func connect(to address: Address, notifying inbox: (any Inbox)?) async throws -> any Outlet {
    WatchedOutlet(aggregator: aggregator, address: address)
  }
}

private struct WatchedOutlet: Outlet {
  let aggregator: WatchedAggregator
  let address: Address

  func offer(_ burst: [Envelope]) -> Bool {
    aggregator.sent(burst, to: address)
    return true
  }

  func send(_ burst: [Envelope]) async throws { aggregator.sent(burst, to: address) }
  func receiverSpoke() {}
  func close() async {}
}
