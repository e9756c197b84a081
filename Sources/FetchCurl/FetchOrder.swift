internal import HTTPMessages
internal import Pipeline
internal import Synchronization

/// Names one call of `fetch`, so that it can be cancelled before and after its start.
final class Ticket: Sendable {
  private let cancelled = Atomic(false)

  var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  func cancel() {
    cancelled.store(true, ordering: .releasing)
  }
}

/// One call of `fetch` on its way to its answer. An object, because it is handed on often and changed hardly ever.
final class FetchOrder: Sendable {
  let request: FetchRequest
  let ticket: Ticket
  /// Microseconds of the monotonic clock.
  let started: Int64
  let deadline: Int64
  /// No address of the name is refused, as far as can be told from here.
  let isGuarded: Bool
  /// Bytes set aside for its body, because there was no memory left for it the first time.
  let room: Int
  private let continuation: CheckedContinuation<Result<FetchResponse, Failure>, Never>

  init(
    request: FetchRequest, ticket: Ticket, started: Int64, deadline: Int64,
    continuation: CheckedContinuation<Result<FetchResponse, Failure>, Never>, isGuarded: Bool = false,
    room: Int = 0
  ) {
    self.request = request
    self.ticket = ticket
    self.started = started
    self.deadline = deadline
    self.continuation = continuation
    self.isGuarded = isGuarded
    self.room = room
  }

  /// The same call once more: ready for a proxy, or with its body's memory set aside.
  func again(isGuarded: Bool? = nil, room: Int? = nil) -> FetchOrder {
    FetchOrder(
      request: request, ticket: ticket, started: started, deadline: deadline, continuation: continuation,
      isGuarded: isGuarded ?? self.isGuarded, room: room ?? self.room)
  }

  func finish(_ result: Result<FetchResponse, Failure>) {
    request.activity?.works()
    continuation.resume(returning: result)
  }

  /// The failure of an order that is over at `now` because of its deadline.
  func timeout(at stage: Stage, _ activity: String, now: Int64) -> Failure {
    timeout(at: stage, activity, milliseconds: (now - started) / 1_000)
  }

  func timeout(at stage: Stage, _ activity: String, milliseconds: Int64) -> Failure {
    let time = shownDuration(milliseconds: milliseconds)
    return request.failure(.timeout, at: stage, "timed out after \(time) \(activity)")
  }
}

extension Int64 {
  /// A time in microseconds, moved; saturates instead of trapping.
  func adding(milliseconds: Int64) -> Int64 {
    let (step, stepOverflow) = milliseconds.multipliedReportingOverflow(by: 1_000)
    let (sum, sumOverflow) = addingReportingOverflow(step)
    guard stepOverflow || sumOverflow else { return sum }
    return milliseconds > 0 ? .max : .min
  }
}

/// What the end of a body makes of its response.
extension FetchOrder {
  /// - Parameter response: The response with what there is of its body.
  func complete(_ response: FetchResponse, _ end: BodyEnd) -> FetchResponse {
    var response = response
    func isBroken(_ cause: String, retryable: Bool = false) {
      response.fail(request.failure(.protocolError, at: .body, cause, retryable: retryable))
    }
    switch (end, request.body) {
    case (.whole, _), (_, .nothing), (_, .startOfPage): break
    case (.codedAgain, _):
      isBroken("the body is compressed once more than its Content-Encoding says")
      response.body = []
    case (.cut, .page): (response.truncated, response.isCapped) = (true, true)
    case (.early, .page): response.truncated = true
    case (_, .page) where !response.body.isEmpty: response.truncated = true
    case (.cut, .whole(let cap)): response.fail(tooLarge(cap: cap))
    case (.early, .whole): isBroken("the body ended in the middle of its content encoding", retryable: true)
    case (.broken, _): isBroken("the body's content encoding is broken")
    case (.swollen(let cap), _):
      let cause = "between its content encodings the body is larger than \(cap) bytes"
      response.fail(request.failure(.bodyTooLarge, at: .body, cause))
    case (.windowTooLarge, _):
      let mebibytes = 1 << (ContentCoding.windowBits - 20)
      isBroken("the body's content encoding wants a window of more than \(mebibytes) MiB")
    }
    return response
  }

  func tooLarge(cap: Int) -> Failure {
    request.failure(.bodyTooLarge, at: .body, "the body is larger than \(cap) bytes")
  }
}

extension FetchResponse {
  /// The head of the response stands.
  mutating func fail(_ failure: Failure) {
    truncated = true
    bodyFailure = failure
  }
}

/// Tells text from encoded bytes, as the MIME Sniffing standard tells text from binary data.
enum PlainText {
  /// As many bytes as browsers look at.
  private static let sample = 1_445

  /// Whether the bytes hold no control character that text never has.
  static func fits(_ bytes: [UInt8]) -> Bool {
    bytes.prefix(sample).allSatisfy { !$0.isBinary }
  }
}
