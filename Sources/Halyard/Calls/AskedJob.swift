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
      let observation = Observation(of: draft, by: client.observers)
      let call = client.core.ask(draft, options.priority) { row in
        // A call keeps its client alive.
        withExtendedLifetime(client) {
          var report = CallReport()
          let found = row.flatMap { json in
            AnswerRow.read(json) { row throws(HalyardError) in
              report.note(row)
              return try read(row)
            }.mapError { .failed($0) }
          }
          observation?.end(report.of(found))
          answer(found)
        }
      }
      return observation?.ending(call) ?? call
    }
  }
}
