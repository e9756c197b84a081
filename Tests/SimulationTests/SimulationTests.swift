import PipelineTesting
import Testing

/// The whole pipeline in one thread on a virtual clock, with everything that can go wrong.
@Suite(.timeLimit(.minutes(10)))
struct SimulationTests {
  @Test func `whatever goes wrong, every job has one row and nothing is left over`() throws {
    let seeds = try SeedRange.wanted()
    let reports = try SimulationCampaign.run(seeds)
    for report in reports.filter({ !$0.problems.isEmpty }).prefix(5) {
      Issue.record("\(report.description)")
    }
    print(SimulationTable(reports))
    if seeds.count == 1, let report = reports.first { print(report.traceEnd) }
  }

  @Test func `a seed runs the same way again`() throws {
    for seed in UInt64(0)..<26 {
      #expect(Simulation.run(seed: seed).fingerprint == Simulation.run(seed: seed).fingerprint)
    }
  }
}
