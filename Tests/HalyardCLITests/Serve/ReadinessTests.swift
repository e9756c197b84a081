import LinkPreviews
import Testing

@testable import HalyardCLI

/// When requests are to go elsewhere.
struct ReadinessTests {
  @Test func `a service that fetches by itself is ready until it ends`() {
    let readiness = Readiness(needsFleet: false)
    #expect(readiness.problem == nil)
    readiness.ends()
    #expect(readiness.problem?.status == 503 && readiness.problem?.name == "ending")
  }

  @Test func `one before a fleet is ready while that answers`() {
    let readiness = Readiness(needsFleet: true)
    #expect(readiness.problem?.status == 503 && readiness.problem?.name == "unavailable")
    readiness.fleetAnswered()
    #expect(readiness.problem == nil)
    readiness.fleetFailed("no fleet at ipc://run/aggregator")
    // Where the fleet is, is for the log.
    #expect(readiness.problem?.detail == "links cannot be fetched now")
    #expect(!readiness.fleetFailed("no fleet at ipc://run/aggregator"))
    readiness.fleetAnswered()
    readiness.ends()
    #expect(readiness.problem?.name == "ending")
  }
}
