import Glibc
import PipelineTesting
import Testing

/// The whole pipeline in one thread on a virtual clock, with everything that can go wrong.
///
/// Each test runs in a process of its own, whose sets and dictionaries are in the same order every time, and which
/// leaves the processor to tests that wait for real time.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct SimulationTests {
  init() {
    RepeatableHashing.letChildrenHaveIt()
  }

  @Test func `whatever goes wrong, every job has one row and nothing is left over`() async throws {
    let child = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      nice(19)
      let seeds = try SeedRange.wanted()
      let reports = try SimulationCampaign.run(seeds)
      for report in reports.filter({ !$0.problems.isEmpty }).prefix(5) {
        Issue.record("\(report.description)")
      }
      print(SimulationTable(reports))
      if seeds.count == 1, let report = reports.first { print(report.traceEnd) }
    }
    print(String(decoding: child?.standardOutputContent ?? [], as: UTF8.self))
  }

  @Test func `a seed runs the same way again`() async {
    await #expect(processExitsWith: .success) {
      nice(19)
      let once = try SimulationCampaign.run(0...139)
      let again = try SimulationCampaign.run(0...139)
      for (first, second) in zip(once, again) {
        #expect(first.fingerprint == second.fingerprint, "seed \(first.seed) ran another way")
      }
    }
  }
}
