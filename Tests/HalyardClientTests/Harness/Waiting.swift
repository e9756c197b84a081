import Halyard
import HalyardConcurrency
import PipelineTesting
import Testing

extension HalyardClient {
  func end() async throws {
    try await soon("the end of the client") { await self.shutdown() }
  }
}

extension HalyardCall {
  func answer() async throws -> Result<Output, HalyardError> {
    try await soon("the answer of a call") { await self.result() }
  }
}

extension TaskChannel {
  /// The next element; `nil` when there is none any more.
  func next(_ event: String) async throws -> Element? {
    try await soon(event) { try await self.receive() }
  }
}
