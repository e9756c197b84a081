import Assembly
import HalyardConcurrency
import LinkPreviews
import Pipeline
import Posix
import Roles

/// Finds previews: kept ones at once, others by one fetch each, however many ask for it.
struct PreviewDesk: Sendable {
  let calls: CallCore
  let store: Lock<PreviewStore>
  /// nil when answers are in memory alone.
  let file: AnswerFile?
  /// How pages are read, but for the language that a request asks for.
  let reading: Reading
  let clock: SystemClock
  private let flights = Lock<[PreviewKey: Flight]>([:])
  let counters = PreviewCounters()

  var now: Moment { clock.now }

  var families: [MetricFamily] {
    let (previews, bytes) = store.withLock { ($0.count, $0.bytes) }
    return counters.families(underWay: flights.withLock { $0.count }, previews: previews, bytes: bytes)
  }

  /// What is kept. A stale answer is renewed meanwhile.
  func find(_ key: PreviewKey) -> FoundPreview? {
    guard let found = store.withLock({ $0.find(key, at: now) }) else { return nil }
    counters.ended(found.origin == .fresh ? .fresh : .stale)
    if found.mayRenew { _ = fetch(key) }
    return found
  }

  /// What a fetch came to for one who asked.
  ///
  /// - Parameter outcome: nil when it did not come in time.
  func found(_ outcome: Flight.Outcome?) throws(Problem) -> FoundPreview {
    switch outcome {
    case .success(let kept):
      counters.ended(.waited)
      return FoundPreview(kept, .waited)
    case .failure(let problem):
      counters.ended(.unavailable)
      throw problem
    case nil:
      counters.ended(.late)
      var late = Problem(
        .deadline, "the link takes longer than the timeout; it is still being fetched, so ask again soon")
      late.isRetryable = true
      throw late
    }
  }

  /// Has it fetched, unless that is under way. The answer is kept even if no client waits for it any more.
  ///
  /// - Parameter isAnew: What the file holds is not good enough.
  func fetch(_ key: PreviewKey, isAnew: Bool = false) -> Flight {
    let (flight, isNew) = flights.withLock { flights in
      if let known = flights[key] { return (known, false) }
      let new = Flight()
      // It may have landed since the store was looked at.
      if !isAnew, let found = store.withLock({ $0.find(key, at: now) }), found.origin == .fresh {
        new.land(.success(found.preview))
        return (new, false)
      }
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
    calls.ask(draft, .high) { row in
      if isAnew { file?.isFetched(key.link) }
      let outcome = row.mapError(Problem.init).map { row in
        store.withLock { $0.keep(row, for: key, at: clock.now) }
      }
      flights.withLock { $0[key] = nil }
      flight.land(outcome)
    }
    return flight
  }
}

/// A fetch for all who wait for it.
final class Flight: Sendable {
  typealias Outcome = Result<KeptPreview, Problem>

  private struct State {
    var outcome: Outcome?
    /// By their places.
    var waiters: [UInt64: @Sendable (Outcome) -> Void] = [:]
    var lastPlace: UInt64 = 0
  }

  private let state = Lock(State())

  /// - Parameter take: Called once, now or when it has landed.
  /// - Returns: The place of who waits, for `left`.
  func whenLanded(_ take: @escaping @Sendable (Outcome) -> Void) -> UInt64 {
    let (known, place) = state.withLock { state in
      state.lastPlace += 1
      if state.outcome == nil { state.waiters[state.lastPlace] = take }
      return (state.outcome, state.lastPlace)
    }
    if let known { take(known) }
    return place
  }

  /// Nothing is kept of who waits no longer: a fetch takes longer than many clients do.
  func left(_ place: UInt64) {
    state.withLock { $0.waiters[place] = nil }
  }

  /// How many wait for it.
  var waiting: Int { state.withLock { $0.waiters.count } }

  /// - Returns: nil when it takes longer, or the task was cancelled.
  func outcome(within milliseconds: Int64) async -> Outcome? {
    let landing = TaskChannel<Outcome>(capacity: .conflating)
    let place = whenLanded { _ = try? landing.offer($0) }
    defer { left(place) }
    let timer = Task {
      try? await Task.sleep(for: .milliseconds(milliseconds))
      landing.close()
    }
    defer { timer.cancel() }
    return try? await landing.receive()
  }

  func land(_ outcome: Outcome) {
    let waiters = state.withLock { state in
      state.outcome = outcome
      return exchange(&state.waiters, with: [:])
    }
    for (_, waiter) in waiters.sorted(by: { $0.key < $1.key }) { waiter(outcome) }
  }
}

extension Problem {
  static let unavailable = Problem(
    "unavailable", 503, "links cannot be fetched now", isRetryable: true, retryAfter: 5)

  init(_ failure: CallFailure) {
    switch failure {
    case .tooMany(let calls):
      self.init(
        "busy", 503, "\(calls) links are being fetched; ask again soon", isRetryable: true, retryAfter: 1)
    case .cancelledByCaller, .shutDown:
      self.init("ending", 503, "the service is ending", isRetryable: true, retryAfter: 5)
    // The log says why, which is not for everyone who asks.
    case .ended: self = .unavailable
    }
  }
}
