import PipelineTesting
import Testing

/// The whole pipeline in one thread on a virtual clock, with everything that can go wrong.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct SimulationTests {
  @Test func `whatever goes wrong, every job has one row and nothing is left over`() async throws {
    let seeds = try SeedRange.wanted()
    let reports = try await SimulationCampaign.run(seeds)
    for report in reports.filter({ !$0.problems.isEmpty }).prefix(5) {
      Issue.record("\(report.description)")
    }
    print(SimulationTable(reports))
    if seeds.count == 1, let report = reports.first { print(report.traceEnd) }
  }

  /// Not even the order of dictionaries decides, which differs from one to the next.
  @Test func `a seed runs the same way again`() async throws {
    let once = try await SimulationCampaign.run(0...139)
    let again = try await SimulationCampaign.run(0...139)
    for (first, second) in zip(once, again) {
      #expect(first.fingerprint == second.fingerprint, "seed \(first.seed) ran another way")
    }
  }
}
