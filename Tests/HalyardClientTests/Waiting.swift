import Coordination
import Halyard
import PipelineTesting
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

extension HalyardClient {
  func end() async throws {
    try await soon("the end of the client") { await self.shutdown() }
  }
}

extension HalyardCall {
  func answer() async throws -> Result<Output, HalyardError> {
    try await soon("the answer of a call") { await self.result }
  }
}

extension Channel {
  /// The next element; `nil` when there is none any more.
  func next(_ event: String) async throws -> Element? {
    try await soon(event) { try await self.receive() }
  }
}
