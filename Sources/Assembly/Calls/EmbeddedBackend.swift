package import Pipeline
package import Roles

/// All roles in this process.
package struct EmbeddedBackend: CallBackend {
  private let options: PipelineOptions
  private let clock: any PipelineClock
  private let log: any Log
  package var deadlineMilliseconds: Int64?
  /// Kept for the next session too.
  package var caching: AnswerCaching?
  /// What fetches; nil for the network.
  package var fetching: (any Fetching)?
  /// What stands between the fetcher and the network.
  package var wrapped: @Sendable ([any Fetching]) -> [any Fetching] = { $0 }
  /// Called when fewer files may be open than the transfers need, as `withFetching` does.
  package var shortage: @Sendable (_ transfers: Int, _ wanted: Int, _ files: Int) -> Void = { _, _, _ in }

  package init(_ options: PipelineOptions, clock: any PipelineClock, log: any Log) {
    (self.options, self.clock, self.log) = (options, clock, log)
  }

  package func run(_ session: CallSession) async throws {
    if let fetching { return try await run(session, options.roles, over: [fetching]) }
    try await withFetching(options.network(clock), threads: options.threads, shortage: shortage) {
      fetching, transfers in
      var roles = options.roles
      roles.fetcher.concurrency = transfers
      try await run(session, roles, over: wrapped(fetching))
    }
  }

  private func run(
    _ session: CallSession, _ roles: LocalPipeline.Settings, over fetching: [any Fetching]
  ) async throws {
    let ports = RolePorts.inProcess(clock: clock, log: log)
    let producer = ProducerSettings(
      batch: ports.passingBatch(), start: roles.fetcher.concurrency,
      deadlineMilliseconds: deadlineMilliseconds)
    try await LocalPipeline(roles, ports, over: fetching, caching: caching).withProducer(producer) {
      try await session.run($0)
    }
  }
}
