import Assembly
import ClockPosix
import LinkPreviews
import Pipeline
import Roles

/// Links are fetched by this process.
struct EmbeddedCalls: CallBackend {
  let options: PipelineOptions
  let clock: SystemClock
  let log: LogPlan
  let record: any Log
  let denied: DeniedHosts

  func run(_ session: CallSession) async throws {
    try await withFetching(options.network(clock), threads: options.threads, shortage: DescriptorRoom.tell) {
      fetching, transfers in
      var options = options
      options.concurrency = transfers
      let ports = RolePorts.inProcess(clock: clock, log: record)
      let producer = ProducerSettings(batch: ports.passingBatch(), start: transfers)
      let pipeline = LocalPipeline(
        options.roles, ports,
        over: LoggedFetching.wanted(by: log, DenyingFetching.wanted(denied, fetching), record))
      try await pipeline.withProducer(producer) { producer, _ in try await session.run(producer) }
    }
  }
}

/// A fleet fetches them, before those of other batches.
struct FleetCalls: CallBackend {
  let plan: FleetLinkPlan

  private static let jobsAtStart = 2_048
  private static let weight: UInt32 = 1_000

  func run(_ session: CallSession) async throws {
    try await plan.withLink { link in
      var settings = ProducerSettings(batch: link.ports.passingBatch(), start: Self.jobsAtStart)
      var terms = BatchTerms()
      terms.weight = Self.weight
      settings.terms = terms
      try await session.run(link.producer(settings))
    }
  }
}
