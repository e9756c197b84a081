import Halyard
import Posix

/// A caller that calls and cancels under a lock, which its handlers take too. Finds handlers that are called inside.
final class Feet: Sendable {
  @TaskLocal private static var isCalling = false

  private let lock = Lock(0)
  private let offences = Lock(0)

  /// Handlers that were called inside a call, or its cancellation.
  var offended: Int { offences.withLock { $0 } }

  /// Handlers that came to their answer.
  var answered: Int { lock.withLock { $0 } }

  /// Does what must not call a handler.
  func stand<Answer: Sendable>(_ work: @Sendable () -> Answer) -> Answer {
    lock.withLock { _ in Self.$isCalling.withValue(true, operation: work) }
  }

  /// For handlers to do first. Without the check, a handler that is called inside would wait for its own thread.
  func tread() {
    guard !Self.isCalling else { return offences.withLock { $0 += 1 } }
    lock.withLock { $0 += 1 }
  }
}
