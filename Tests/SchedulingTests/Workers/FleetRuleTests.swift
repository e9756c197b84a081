import Pipeline
import Testing

@testable import Scheduling

/// Who belongs to a fleet.
struct FleetRuleTests {
  private static let hops = FindingOption(name: "max-hops", hash: 20)
  private static let guarded = FindingOption(name: "allow-address", hash: 1)
  private static let open = FindingOption(name: "allow-address", hash: 2)

  private func hello(_ role: Role, _ program: WorkerProgram?, id: UInt64 = 1) -> Hello {
    var hello = Hello(
      worker: WorkerID(UUIDv7(high: 1, low: id)), role: role, locality: "here", address: Address("a"),
      granted: 1,
      received: 0)
    hello.program = program
    return hello
  }

  private func fetcher(_ options: FindingOption..., id: UInt64 = 1) -> Hello {
    hello(.fetcher, WorkerProgram(version: "1.2.3", options: options), id: id)
  }

  @Test func `neighbouring minor versions of the frames work together, and no others`() {
    var rule = FleetRule(version: "1.2.3", wire: 0x0102)
    let verdicts = [0x0100, 0x0101, 0x0102, 0x0103, 0x0104, 0x0001, 0x0202].map { wire in
      rule.verdict(on: hello(.decoder, WorkerProgram(version: "1.2.3", wire: wire)), isAlone: false)
    }
    #expect(
      verdicts == [
        .refused(
          "it writes frames of version 1.0, and the aggregator 1.2: upgrade one minor version after the other"
        ),
        .compatible, .compatible, .compatible,
        .refused(
          "it writes frames of version 1.4, and the aggregator 1.2: upgrade one minor version after the other"
        ),
        .refused("it writes frames of version 0.1, and the aggregator 1.2"),
        .refused("it writes frames of version 2.2, and the aggregator 1.2"),
      ])
  }

  @Test func `the version of the program does not matter, but it must be said`() {
    var rule = FleetRule(version: "1.2.3")
    #expect(rule.verdict(on: hello(.decoder, WorkerProgram(version: "9.9.9")), isAlone: false) == .compatible)
    #expect(
      rule.verdict(on: hello(.decoder, nil), isAlone: false)
        == .refused("it is older than 1.2.3, and says nothing of itself"))
  }

  @Test func `of two versions only the options that both know are compared`() {
    var rule = FleetRule(version: "1.2.3", options: [Self.hops, Self.guarded])
    func verdict(_ version: String, _ options: FindingOption...) -> MemberVerdict {
      rule.verdict(on: hello(.fetcher, WorkerProgram(version: version, options: options)), isAlone: false)
    }
    #expect(verdict("1.3.0", Self.guarded, FindingOption(name: "new", hash: 1)) == .compatible)
    #expect(verdict("1.3.0", Self.open) == .refused("its --allow-address is not the fleet's"))
    #expect(verdict("1.2.3", Self.guarded) == .refused("its --max-hops is not the fleet's"))
  }

  @Test func `a fetcher must have been told what the aggregator was`() {
    var rule = FleetRule(version: "1.2.3", options: [Self.hops, Self.guarded])
    #expect(rule.verdict(on: fetcher(Self.hops, Self.guarded), isAlone: true) == .compatible)
    #expect(
      rule.verdict(on: fetcher(Self.hops, Self.open), isAlone: true)
        == .refused("its --allow-address is not the fleet's"))
    #expect(
      rule.verdict(on: fetcher(), isAlone: true)
        == .refused("its --allow-address, --max-hops are not the fleet's"))
  }

  @Test func `the first fetcher decides where the aggregator was told nothing`() {
    var rule = FleetRule(version: "1.2.3")
    #expect(rule.verdict(on: fetcher(Self.guarded, id: 1), isAlone: true) == .compatible)
    #expect(rule.verdict(on: fetcher(Self.open, id: 2), isAlone: false) != .compatible)
    #expect(rule.verdict(on: fetcher(Self.open, id: 2), isAlone: true) == .compatible)
    #expect(rule.verdict(on: fetcher(Self.guarded, id: 3), isAlone: false) != .compatible)
  }

  @Test func `roles of one process are not asked`() {
    var rule = FleetRule(version: "")
    #expect(rule.verdict(on: hello(.fetcher, nil), isAlone: true) == .compatible)
  }
}
