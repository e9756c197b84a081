/// Where a session's jobs are done.
protocol Backend: Sendable {
  /// Returns when the session was stopped and all its work has ended.
  func run(_ session: Session) async throws
}
