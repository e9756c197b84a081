import Pipeline
import Testing

@testable import Roles

/// Who belongs to a fleet.
struct FleetRuleTests {
  @Test func `all minor versions of the frames work together, and no other major one`() {
    let own = WorkerProgram(version: "1.2.3", wire: 0x0102)
    let differences = [0x0100, 0x0102, 0x0104, 0x0001, 0x0202].map { wire in
      own.difference(of: WorkerProgram(version: "1.2.3", wire: wire))
    }
    #expect(
      differences == [
        nil, nil, nil, "it writes frames of version 0.1, and the aggregator 1.2",
        "it writes frames of version 2.2, and the aggregator 1.2",
      ])
  }

  @Test func `the version of the program does not matter, but it must be said`() {
    let own = WorkerProgram(version: "1.2.3")
    #expect(own.difference(of: WorkerProgram(version: "9.9.9")) == nil)
    #expect(own.difference(of: nil) == "it says nothing of itself")
  }

  @Test func `roles of one process are not asked`() {
    #expect(WorkerProgram(version: "").difference(of: nil) == nil)
  }
}
