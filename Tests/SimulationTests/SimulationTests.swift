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

  @Test func `an aggregator that was taken for dead is fenced when it goes on`() async throws {
    let reports = try await SimulationCampaign.run(0...29, in: .takeovers)
    for report in reports.filter({ !$0.problems.isEmpty }).prefix(3) { Issue.record("\(report.description)") }
    #expect(reports.count { $0.fenced > 0 } > 15)
  }

  @Test func `a ledger that does not look whose a commit is would be found`() async throws {
    let reports = try await SimulationCampaign.run(0...9, in: .withoutFence)
    let late = reports.filter { $0.problems.contains { $0.contains("which is over") } }
    #expect(!late.isEmpty)
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
