import HalyardConcurrency
import Testing

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
