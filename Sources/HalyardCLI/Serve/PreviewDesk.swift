import Assembly
import HTTPMessages
import HTTPServer
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
  /// Whether what is asked for now would not be fetched before some trouble is over.
  var isHindered: @Sendable () -> Bool = { false }
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
      guard !isHindered() else {
        new.land(.failure(.unavailable))
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

/// A request, with what every answer to it needs.
struct PreviewVisit: Sendable {
  typealias Fields = [(StaticString, String)]

  let head: RequestHead
  let route: PreviewRoute
  /// In the log and in answers.
  let id: String
  let began = SystemTime.monotonicMicroseconds
  let client: String
  var holder: AccessTokens.Holder?
  /// What tells browsers, and caches, whether a page of another site may read the answer.
  var sharing: Fields = []
  var isShared = false
  let log: AccessLog?
  let counters: PreviewCounters

  /// The way from the request's path to the service's root.
  var root: String {
    String(repeating: "../", count: max(0, head.path.utf8.count { $0 == UInt8(ascii: "/") } - 1))
  }

  var common: Fields { [("X-Request-Id", id), ("X-Content-Type-Options", "nosniff")] + sharing }

  /// - Parameter cached: Said of the answer in the log.
  func answer(
    _ status: Int, _ contentType: StaticString? = nil, body: [UInt8] = [], cached: String? = nil,
    _ fields: Fields = []
  ) -> Response {
    var answer = Response(ResponseHead(status, contentType: contentType), body: body)
    for (name, value) in common + fields { answer.head.add(name, value) }
    note(status, bytes: body.count, cached: cached)
    return answer
  }

  func page(
    _ html: [UInt8], status: Int = 200, cached: String? = nil, _ fields: Fields = []
  ) -> Response {
    let policy: Fields = [
      ("Content-Security-Policy", PreviewPages.policy), ("Referrer-Policy", "no-referrer"),
      ("Cross-Origin-Opener-Policy", "same-origin"), ("X-Robots-Tag", "noindex"),
    ]
    return answer(status, "text/html; charset=utf-8", body: html, cached: cached, policy + fields)
  }

  /// - Parameter cached: Where the problem comes from that is kept of a link.
  func answer(to problem: Problem, cached: String? = nil, _ fields: Fields = []) -> Response {
    var fields = fields + [("Cache-Control", "no-store")]
    if let seconds = problem.retryAfter { fields.append(("Retry-After", "\(seconds)")) }
    if problem.status == 401 { fields.append(("WWW-Authenticate", "Bearer")) }
    if route.isIframely {
      let (status, body) = problem.iframely
      return answer(status, "application/json", body: body, cached: cached, fields)
    }
    // For people who typed an address; programs do not ask for a page first.
    if head["accept"]?.hasPrefix("text/html") == true {
      let note = PreviewPages.note(problem.title, [problem.detail, "Request \(id)."], root: root)
      return page(note, status: problem.status, cached: cached, fields)
    }
    let body = problem.json(root: root, id: id)
    return answer(problem.status, Problem.mediaType, body: body, cached: cached, fields)
  }

  /// Answers once it has the body; what is thrown is the answer, too.
  func task(
    bodyLimit: Int = 0, _ work: @escaping @Sendable (Request) async throws(Problem) -> Reply
  ) -> Reaction {
    .task(bodyLimit: bodyLimit) { request in
      do throws(Problem) { return try await work(request) } catch { return .whole(answer(to: error)) }
    }
  }

  func note(_ status: Int, bytes: Int, cached: String? = nil) {
    let took = SystemTime.monotonicMicroseconds - began
    counters.responded(status, at: route.name, cached: cached, microseconds: took)
    log?.note(id, self, status: status, bytes: bytes, cached: cached, microseconds: took)
  }
}

extension PreviewVisit {
  /// An answer about a link.
  func answer(_ found: FoundPreview, to question: PreviewQuestion, at now: Moment) -> Response {
    let (kept, cached) = (found.preview, found.origin.rawValue)
    let left = kept.freshUntil.milliseconds(since: now) / 1_000
    // RFC 9211.
    let status =
      switch found.origin {
      case .fresh: "halyard; hit; ttl=\(left)"
      case .stale: "halyard; fwd=stale; hit; ttl=\(left)"
      case .waited: "halyard; fwd=miss; stored"
      }
    if var problem = kept.problem {
      if question.shape == .oembed, problem.status == 422 { problem.status = 404 }
      return answer(to: problem, cached: cached, [("Cache-Status", status)])
    }
    let rendering = kept.rendering(as: question.shape(for: kept))
    let age = max(0, now.milliseconds(since: kept.storedAt) / 1_000)
    let timing = found.origin == .waited ? "fetch;dur=\(kept.milliseconds), " : "cache, "
    let took = SystemTime.monotonicMicroseconds - began
    // Who wants it anew wants it so from whatever stands between, too.
    let control =
      question.wantsNew
      ? "no-cache" : "\(holder == nil ? "public" : "private"), max-age=\(max(0, left) + age)"
    let fields: Fields = [
      ("ETag", "W/\(rendering.tag.text)"), ("Cache-Control", control),
      ("Age", "\(age)"), ("Cache-Status", status),
      ("Server-Timing", "\(timing)total;dur=\(took / 1_000).\(took % 1_000 / 100)"),
    ]
    if rendering.tag.isNamed(by: head.values("if-none-match").joined(separator: ",")) {
      return answer(304, cached: cached, fields)
    }
    return answer(200, "application/json", body: rendering.body, cached: cached, fields)
  }
}
