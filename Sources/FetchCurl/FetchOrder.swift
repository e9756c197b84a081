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

/// One call of `fetch` on its way to its answer.
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

  /// The same call, ready for a proxy.
  var guarded: FetchOrder { copy(isGuarded: true, room: room) }

  /// The same call once more, with its body's memory set aside.
  func with(room: Int) -> FetchOrder { copy(isGuarded: isGuarded, room: room) }

  private func copy(isGuarded: Bool, room: Int) -> FetchOrder {
    FetchOrder(
      request: request, ticket: ticket, started: started, deadline: deadline, continuation: continuation,
      isGuarded: isGuarded, room: room)
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
