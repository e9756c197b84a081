internal import Pipeline
internal import Roles

/// A job that a client is asked for.
struct AskedJob: Sendable {
  let client: HalyardClient
  /// As the options have it.
  let draft: JobDraft
  let options: CallOptions

  func service<Output: Sendable>(
    _ read: @escaping @Sendable (AnswerRow) throws(HalyardError) -> Output
  ) -> CallbackService<Void, Output, HalyardError> {
    .answering { _, answer in
      client.core.ask(draft, options.priority) { row in
        // A call keeps its client alive.
        withExtendedLifetime(client) {
          answer(row.flatMap { AnswerRow.read($0, as: read).mapError { .failed($0) } })
        }
      }
    }
  }
}
