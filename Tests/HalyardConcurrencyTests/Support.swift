import Posix
import Testing

@testable import HalyardConcurrency

/// How a call ended: with a value, or with an error of the channel's.
func outcome<Value: Sendable>(
  _ call: () async throws(TaskChannelError) -> Value
) async -> Result<Value, TaskChannelError> {
  do throws(TaskChannelError) { return .success(try await call()) } catch { return .failure(error) }
}

/// Whoever comes to know that an element has gone.
final class Element: Sendable {
  let number: Int
  private let gone: @Sendable (Int) -> Void

  init(_ number: Int, gone: @escaping @Sendable (Int) -> Void) {
    self.number = number
    self.gone = gone
  }

  deinit { gone(number) }
}

extension TaskChannel {
  /// How many there are at this moment, and what they wait for.
  var census: (kept: Int, senders: Int, receivers: Int) {
    state.withLock { ($0.kept.count, $0.senders.count, $0.receivers.count) }
  }
}
