import Assembly
import Pipeline
import Roles

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
