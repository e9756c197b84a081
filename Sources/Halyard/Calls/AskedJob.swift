internal import Assembly
internal import Pipeline
internal import Roles

/// A job that a client is asked for.
struct AskedJob: Sendable {
  let client: HalyardClient
  /// As the options have it.
  let draft: JobDraft
  let options: CallOptions

  /// Asks, and reads what the row has.
  ///
  /// - Parameter answer: Called exactly once, on any thread, and also inside this call or the cancellation.
  func ask<Output: Sendable>(
    _ read: @escaping @Sendable (AnswerRow) throws(HalyardError) -> Output,
    _ answer: @escaping @Sendable (Result<Output, HalyardError>) -> Void
  ) -> any CallHandle {
    let observation = Observation(of: draft, by: client.observers)
    return client.core.ask(draft, CallPriority(rawValue: options.priority.rawValue) ?? .normal) { row in
      // A call keeps its client alive.
      withExtendedLifetime(client) {
        var report = CallReport()
        let found = row.mapError { HalyardError(call: $0) }.flatMap { json in
          AnswerRow.read(json) { row throws(HalyardError) in
            report.note(row)
            return try read(row)
          }
        }
        observation?.end(report.of(found))
        answer(found)
      }
    }
  }
}

extension CallTicket: CallHandle {}
