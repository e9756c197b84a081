/// Runs `body`, and then `cleanup`, whatever becomes of `body`.
///
/// - Parameter cleanup: Runs to its end also in a task that is cancelled, if it does not look at that itself.
public func withCleanup<Answer>(
  _ body: () async throws -> Answer, cleanup: () async -> Void
) async throws -> Answer {
  let answer: Result<Answer, any Error>
  do { answer = .success(try await body()) } catch { answer = .failure(error) }
  await cleanup()
  return try answer.get()
}
