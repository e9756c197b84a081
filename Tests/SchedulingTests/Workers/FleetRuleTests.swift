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

  @Test func `workers of another version differ, whatever they do`() {
    var rule = FleetRule(version: "1.2.3")
    let differences = [
      hello(.decoder, WorkerProgram(version: "1.2.3")), hello(.decoder, WorkerProgram(version: "1.2.4")),
      hello(.decoder, nil), hello(.fetcher, WorkerProgram(version: "1.2.3", wire: 0x0201, options: [])),
      hello(.fetcher, WorkerProgram(version: "\u{1B}[2Jx", options: [])),
    ].map { rule.difference(of: $0, isAlone: false) }
    #expect(
      differences == [
        nil, "it is version 1.2.4, and not 1.2.3", "it is older than 1.2.3, and says nothing of itself",
        "it writes frames of version 2.1, and not 1.0", "it is version [2Jx, and not 1.2.3",
      ])
  }

  @Test func `a fetcher must have been told what the aggregator was`() {
    var rule = FleetRule(version: "1.2.3", options: [Self.hops, Self.guarded])
    #expect(rule.difference(of: fetcher(Self.hops, Self.guarded), isAlone: true) == nil)
    #expect(
      rule.difference(of: fetcher(Self.hops, Self.open), isAlone: true)
        == "its --allow-address is not the fleet's")
    #expect(
      rule.difference(of: fetcher(), isAlone: true) == "its --allow-address, --max-hops are not the fleet's")
  }

  @Test func `the first fetcher decides where the aggregator was told nothing`() {
    var rule = FleetRule(version: "1.2.3")
    #expect(rule.difference(of: fetcher(Self.guarded, id: 1), isAlone: true) == nil)
    #expect(rule.difference(of: fetcher(Self.open, id: 2), isAlone: false) != nil)
    #expect(rule.difference(of: fetcher(Self.open, id: 2), isAlone: true) == nil)
    #expect(rule.difference(of: fetcher(Self.guarded, id: 3), isAlone: false) != nil)
  }

  @Test func `roles of one process are not asked`() {
    var rule = FleetRule(version: "")
    #expect(rule.difference(of: hello(.fetcher, nil), isAlone: true) == nil)
  }
}
