import Assembly
import ClockPosix
import LinkPreviews
import Pipeline
import Posix
import Roles

/// Finds previews: kept ones at once, others by one fetch each, however many ask for it.
final class PreviewDesk: Sendable {
  typealias Outcome = Result<KeptPreview, Problem>

  private let calls: CallCore
  private let clock: SystemClock
  private let reading: Reading
  private let store: Lock<PreviewStore>
  /// nil when answers are in memory alone.
  private let file: AnswerFile?
  private let flights = Lock<[PreviewKey: Flight]>([:])
  let counters = PreviewCounters()

  /// - Parameter reading: How pages are read, but for the language that a request asks for.
  init(
    _ calls: CallCore, _ store: PreviewStore, _ file: AnswerFile?, _ reading: Reading, clock: SystemClock
  ) {
    (self.calls, self.clock, self.reading, self.file) = (calls, clock, reading, file)
    self.store = Lock(store)
  }

  var now: Moment { clock.now }
  var underWay: Int { flights.withLock { $0.count } }
  var size: (previews: Int, bytes: Int) { store.withLock { ($0.count, $0.bytes) } }

  /// What is kept. A stale answer is renewed meanwhile.
  func find(_ key: PreviewKey) -> PreviewStore.Finding {
    let finding = store.withLock { $0.find(key, at: clock.now) }
    switch finding {
    case .fresh: counters.ended(.fresh)
    case .stale(_, let mayRenew):
      counters.ended(.stale)
      if mayRenew { _ = fetch(key) }
    case .nothing: break
    }
    return finding
  }

  /// What a fetch comes to, if it does in time.
  func outcome(of flight: Flight, within milliseconds: Int64) async -> Outcome {
    let outcome = await flight.outcome(within: milliseconds)
    switch outcome {
    case .success: counters.ended(.waited)
    case .failure: counters.ended(.unavailable)
    case nil: counters.ended(.late)
    }
    return outcome ?? .failure(.late)
  }

  /// Has it fetched, unless that is under way. The answer is kept even if no client waits for it any more.
  ///
  /// - Parameter isAnew: What the file holds is not good enough.
  func fetch(_ key: PreviewKey, isAnew: Bool = false) -> Flight {
    let (flight, isNew) = flights.withLock { flights in
      if let known = flights[key] { return (known, false) }
      let new = Flight()
      flights[key] = new
      return (new, true)
    }
    guard isNew else { return flight }
    counters.fetched()
    var draft = JobDraft(kind: key.kind, input: key.link)
    draft.reading = reading
    draft.reading.language = key.language ?? reading.language
    draft.deadlineMilliseconds = PreviewQuestion.longestTimeout
    if isAnew { file?.forgets(key.link) }
    calls.ask(draft, .high) { [self] row in
      if isAnew { file?.isFetched(key.link) }
      land(flight, of: key, row)
    }
    return flight
  }

  private func land(_ flight: Flight, of key: PreviewKey, _ row: Result<[UInt8], CallFailure>) {
    let outcome: Outcome
    switch row {
    case .success(let row): outcome = .success(store.withLock { $0.keep(row, for: key, at: clock.now) })
    case .failure(let failure): outcome = .failure(Problem(failure))
    }
    flights.withLock { $0[key] = nil }
    flight.land(outcome)
  }
}

/// A fetch for all who wait for it.
final class Flight: Sendable {
  private struct State {
    var outcome: PreviewDesk.Outcome?
    var waiters: [Int: CheckedContinuation<PreviewDesk.Outcome?, Never>] = [:]
    var lastWaiter = 0
  }

  private let state = Lock(State())

  /// - Returns: Nil when it takes longer, or the task was cancelled.
  func outcome(within milliseconds: Int64) async -> PreviewDesk.Outcome? {
    let ticket = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    let timer = Task {
      try? await Task.sleep(for: .milliseconds(milliseconds))
      giveUp(ticket)
    }
    defer { timer.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        let known: PreviewDesk.Outcome?? = state.withLock { state in
          if let outcome = state.outcome { return outcome }
          guard !Task.isCancelled else { return .some(nil) }
          state.waiters[ticket] = waiter
          return nil
        }
        if let known { waiter.resume(returning: known) }
      }
    } onCancel: {
      giveUp(ticket)
    }
  }

  func land(_ outcome: PreviewDesk.Outcome) {
    let waiters = state.withLock { state in
      state.outcome = outcome
      defer { state.waiters = [:] }
      return state.waiters.values
    }
    for waiter in waiters { waiter.resume(returning: outcome) }
  }

  private func giveUp(_ ticket: Int) {
    state.withLock { $0.waiters.removeValue(forKey: ticket) }?.resume(returning: nil)
  }
}

extension Problem {
  init(_ failure: CallFailure) {
    switch failure {
    case .tooMany(let calls):
      self.init(
        "busy", 503, "\(calls) links are being fetched; ask again soon", isRetryable: true, retryAfter: 1)
    case .cancelledByCaller, .shutDown:
      self.init("ending", 503, "the service is ending", isRetryable: true, retryAfter: 5)
    case .ended(let error):
      self.init("unavailable", 503, "links cannot be fetched now: \(error)", isRetryable: true, retryAfter: 5)
    }
  }

  /// Nothing came in time.
  static let late = Problem(
    FailureKind.deadline.rawValue, 504,
    "the link takes longer than the timeout; it is still being fetched, so ask again soon", isRetryable: true)
}
