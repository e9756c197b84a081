import LedgerMemory
package import Pipeline
import Posix
package import Roles

/// Gives calls to the session under way, and begins one when there is none.
package final class CallCore: Sendable {
  private struct State: Sendable {
    var session: CallSession?
    var isStopped = false
  }

  private let backend: any CallBackend
  private let maxCalls: Int
  private let answersAtOnce: Int
  private let state = Lock(State())

  /// - Parameters:
  ///   - maxCalls: Calls that can be unanswered at a time.
  ///   - answersAtOnce: How many callers are answered at a time, if there are threads; 1 where none of them takes long.
  package init(_ backend: any CallBackend, maxCalls: Int, answersAtOnce: Int = 64) {
    (self.backend, self.maxCalls, self.answersAtOnce) = (backend, maxCalls, answersAtOnce)
  }

  /// - Parameter answer: Called exactly once, on any thread, and also inside this call or the cancellation.
  @discardableResult
  package func ask(
    _ draft: JobDraft, _ priority: CallPriority = .normal, _ answer: @escaping PendingCalls.Answer
  ) -> CallTicket {
    while let session = session() {
      switch session.add(draft, priority, answer) {
      case .accepted(let ticket): return CallTicket(session: session, number: ticket)
      case .full:
        answer(.failure(.tooMany(maxCalls)))
        return CallTicket()
      // Meanwhile.
      case .ended: forget(session)
      }
    }
    answer(.failure(.shutDown))
    return CallTicket()
  }

  /// - Returns: What is left to wait for.
  @discardableResult
  package func stop() -> CallSession? {
    let session = state.withLock { state in
      state.isStopped = true
      return state.session
    }
    session?.stop()
    return session
  }

  private func session() -> CallSession? {
    state.withLock { state in
      guard !state.isStopped else { return nil }
      if let session = state.session { return session }
      let session = CallSession(maxCalls: maxCalls, answersAtOnce: answersAtOnce)
      // Under the lock: a shutdown waits for what has begun.
      session.begin(at: backend)
      state.session = session
      return session
    }
  }

  /// Once it is stopped it keeps its session: every shutdown waits for that.
  private func forget(_ session: CallSession) {
    state.withLock { state in
      if !state.isStopped, state.session === session { state.session = nil }
    }
  }
}

/// What cancels a call, if there is still something to cancel.
package struct CallTicket: Sendable {
  fileprivate var session: CallSession?
  fileprivate var number: UInt64 = 0

  package func cancel() { session?.cancel(number) }
}

/// Where a session's jobs are done.
package protocol CallBackend: Sendable {
  /// Returns when the session was stopped and all its work has ended.
  func run(_ session: CallSession) async throws
}

/// All roles in this process.
package struct EmbeddedBackend: CallBackend {
  private let options: PipelineOptions
  private let clock: any PipelineClock
  private let log: any Log
  package var deadlineMilliseconds: Int64?
  /// Kept for the next session too.
  package var caching: AnswerCaching?
  /// What fetches; nil for the network.
  package var fetching: (any Fetching)?
  /// What stands between the fetcher and the network.
  package var wrapped: @Sendable ([any Fetching]) -> [any Fetching] = { $0 }
  /// Called when fewer files may be open than the transfers need, as `withFetching` does.
  package var shortage: @Sendable (_ transfers: Int, _ wanted: Int, _ files: Int) -> Void = { _, _, _ in }

  package init(_ options: PipelineOptions, clock: any PipelineClock, log: any Log) {
    (self.options, self.clock, self.log) = (options, clock, log)
  }

  package func run(_ session: CallSession) async throws {
    if let fetching { return try await run(session, options.roles, over: [fetching]) }
    try await withFetching(options.network(clock), threads: options.threads, shortage: shortage) {
      fetching, transfers in
      var roles = options.roles
      roles.fetcher.concurrency = transfers
      try await run(session, roles, over: wrapped(fetching))
    }
  }

  private func run(
    _ session: CallSession, _ roles: LocalPipeline.Settings, over fetching: [any Fetching]
  ) async throws {
    let ports = RolePorts.inProcess(clock: clock, log: log)
    let producer = ProducerSettings(
      batch: ports.passingBatch(), start: roles.fetcher.concurrency,
      deadlineMilliseconds: deadlineMilliseconds)
    let pipeline = LocalPipeline(
      settings: roles, ports: ports, ledger: MemoryLedger(retellsCalls: false), fetching: fetching,
      caching: caching)
    try await pipeline.withProducer(producer) { producer, _ in try await session.run(producer) }
  }
}

/// Why a call has no row.
package enum CallFailure: Error, Sendable {
  case tooMany(Int)
  case cancelledByCaller
  case shutDown
  /// What the calls were done by ended so.
  case ended(any Error)
}

/// Which of the calls that wait go first.
package enum CallPriority: Int, CaseIterable, Sendable {
  case low
  case normal
  case high
}

/// Which calls wait for their turn, and which are jobs by now. A pure value: its owner calls back once the lock is free.
package struct PendingCalls: Sendable {
  /// Called exactly once, by the code that takes a call out of here.
  package typealias Answer = @Sendable (Result<[UInt8], CallFailure>) -> Void

  struct Call: Sendable {
    var draft: JobDraft
    var answer: Answer
    /// The job's place in the batch; nil while it waits.
    var ordinal: UInt64?
  }

  private var calls: [UInt64: Call] = [:]
  /// Tickets of those that wait, by priority; cancelled calls stand there too, until their turn has come.
  private var waiting: [CallPriority: FIFO<UInt64>] = [:]
  private var tickets: [UInt64: UInt64] = [:]
  private var lastTicket: UInt64 = 0
  private var nextOrdinal: UInt64 = 0
  private var isOver = false
  private let limit: Int

  /// - Parameter limit: Calls at a time.
  init(limit: Int) {
    self.limit = limit
  }

  /// What becomes of a call.
  enum Admission: Sendable {
    case accepted(ticket: UInt64)
    /// There are too many.
    case full
    /// It came too late.
    case ended
  }

  var count: Int { calls.count }

  mutating func add(
    _ draft: JobDraft, _ priority: CallPriority, _ answer: @escaping Answer
  ) -> Admission {
    guard !isOver else { return .ended }
    guard calls.count < limit, waiting.values.reduce(0, { $0 + $1.count }) < limit else { return .full }
    lastTicket += 1
    calls[lastTicket] = Call(draft: draft, answer: answer)
    waiting[priority, default: FIFO()].append(lastTicket)
    return .accepted(ticket: lastTicket)
  }

  /// The jobs that calls become, the most urgent first and then in their order; who was cancelled meanwhile becomes none.
  mutating func submit(atMost limit: Int) -> [JobDraft] {
    var drafts: [JobDraft] = []
    for priority in CallPriority.allCases.reversed() {
      while drafts.count < limit, let ticket = waiting[priority]?.popFirst() {
        guard let draft = calls[ticket]?.draft else { continue }
        calls[ticket]?.ordinal = nextOrdinal
        tickets[nextOrdinal] = ticket
        nextOrdinal += 1
        drafts.append(draft)
      }
    }
    return drafts
  }

  /// The caller gave up.
  ///
  /// - Returns: The call, which is to be answered and let go once the lock is free: its answer may hold the last client.
  mutating func cancel(_ ticket: UInt64) -> Call? {
    guard let call = calls.removeValue(forKey: ticket) else { return nil }
    if let ordinal = call.ordinal { tickets[ordinal] = nil }
    return call
  }

  /// The row of a job has come.
  ///
  /// - Returns: Who is to be told; nil when the caller gave up.
  mutating func settle(_ ordinal: UInt64) -> Answer? {
    tickets.removeValue(forKey: ordinal).flatMap { calls.removeValue(forKey: $0)?.answer }
  }

  /// Nothing more will come.
  ///
  /// - Returns: Who is to be told so.
  mutating func end() -> [Answer] {
    isOver = true
    defer {
      calls = [:]
      tickets = [:]
      waiting = [:]
    }
    return calls.sorted { $0.key < $1.key }.map(\.value.answer)
  }
}
