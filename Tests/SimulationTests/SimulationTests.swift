import PipelineTesting
import Testing

/// The whole pipeline in one thread on a virtual clock.
@Suite(.timeLimit(.minutes(10)))
struct SimulationTests {
  @Test func `one seed runs to its end`() {
    let report = Simulation.run(seed: 1)
    #expect(report.problems.isEmpty, "\(report.description)")
    print(report.jobs, report.attempts, report.repeated, report.crashes, report.fingerprint)
  }
  @Test func `many`() throws {
    let reports = try SimulationCampaign.run(1...40)
    for report in reports.filter({ !$0.problems.isEmpty }).prefix(3) { Issue.record("\(report.description)") }
  }
}
