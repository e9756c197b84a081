/// Where a session's jobs are done.
package protocol CallBackend: Sendable {
  /// Returns when the session was stopped and all its work has ended.
  func run(_ session: CallSession) async throws
}
