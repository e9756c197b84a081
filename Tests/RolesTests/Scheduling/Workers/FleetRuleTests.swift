import Pipeline
import Testing

@testable import Roles

/// Who belongs to a fleet.
struct FleetRuleTests {
  private func hello(_ role: Role, _ program: WorkerProgram?, id: UInt64 = 1) -> Hello {
    var hello = Hello(
      worker: WorkerID(UUIDv7(high: 1, low: id)), role: role, locality: "here", address: Address("a"),
      granted: 1,
      received: 0)
    hello.program = program
    return hello
  }

  @Test func `all minor versions of the frames work together, and no other major one`() {
    let rule = FleetRule(of: WorkerProgram(version: "1.2.3", wire: 0x0102))
    let verdicts = [0x0100, 0x0102, 0x0104, 0x0001, 0x0202].map { wire in
      rule.verdict(on: hello(.decoder, WorkerProgram(version: "1.2.3", wire: wire)))
    }
    #expect(
      verdicts == [
        .compatible, .compatible, .compatible,
        .refused("it writes frames of version 0.1, and the aggregator 1.2"),
        .refused("it writes frames of version 2.2, and the aggregator 1.2"),
      ])
  }

  @Test func `the version of the program does not matter, but it must be said`() {
    let rule = FleetRule(of: WorkerProgram(version: "1.2.3"))
    #expect(rule.verdict(on: hello(.decoder, WorkerProgram(version: "9.9.9"))) == .compatible)
    #expect(
      rule.verdict(on: hello(.decoder, nil))
        == .refused("it says nothing of itself"))
  }

  @Test func `roles of one process are not asked`() {
    let rule = FleetRule(of: WorkerProgram(version: ""))
    #expect(rule.verdict(on: hello(.fetcher, nil)) == .compatible)
  }
}
