import Coordination
import Testing

/// Returns when something has become true, or its task is cancelled; records where it was waited for in vain.
func until(_ isTrue: () -> Bool, at place: SourceLocation = #_sourceLocation) async {
  let deadline = ContinuousClock.now + .seconds(240)
  while !isTrue(), !Task.isCancelled {
    guard ContinuousClock.now < deadline else {
      Issue.record("waited 50 seconds in vain for this", sourceLocation: place)
      return
    }
    await Task.yield()
  }
}

/// How a call ended: with a value, or with an error of the channel's.
func outcome<Value: Sendable>(
  _ call: () async throws(ChannelError) -> Value
) async -> Result<Value, ChannelError> {
  do throws(ChannelError) { return .success(try await call()) } catch { return .failure(error) }
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
