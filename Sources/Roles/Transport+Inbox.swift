internal import HalyardConcurrency
package import Pipeline

extension Transport {
  /// Binds an inbox while `body` runs.
  package func withInbox<Answer>(
    at address: Address, _ body: (any Inbox) async throws -> Answer
  ) async throws -> Answer {
    let inbox = try await bind(address)
    return try await withCleanup {
      try await body(inbox)
    } cleanup: {
      await inbox.close()
    }
  }
}
