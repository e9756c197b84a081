import LedgerMemory
import Pipeline
import PipelineTesting
import Testing

@testable import Roles

/// Workers that a client wants to end.
@Suite(.timeLimit(.minutes(10)))
struct DrainingTests {
  private let fixture = AggregatorFixture {
    var settings = AggregatorSettings()
    settings.workersMayLive = true
    return settings
  }

  private static func id(_ number: UInt64) -> WorkerID { WorkerID.numbered(number) }
  private static func address(_ number: UInt64) -> Address { Address("inproc://worker-\(number)") }

  private func hello(_ number: UInt64, _ role: Role = .fetcher, wire: UInt16 = EnvelopeCodec.version)
    -> Message
  {
    var hello = Hello(
      worker: Self.id(number), role: role, locality: "here", address: Self.address(number), granted: 10,
      received: 0)
    hello.program = WorkerProgram(version: "1.2.3", wire: wire)
    return .hello(hello)
  }

  private func drain(_ number: UInt64, within milliseconds: Int64 = 60_000) -> Message {
    fixture.ask(DrainOrder(Self.id(number)), id: number, within: milliseconds)
  }

  private var outcomes: [DrainOrder.Reply] { fixture.replies() }

  private func drains(_ number: UInt64) -> Message {
    .giveBack(GiveBack(from: Self.id(number), tokens: [], reason: .draining))
  }

  private func orders(to number: UInt64) -> Int {
    fixture.sent(to: Self.address(number)).count { $0 == .drain }
  }

  private func jobs(of number: UInt64) -> Int {
    fixture.sent(to: Self.address(number)).count { if case .job = $0 { true } else { false } }
  }

  @Test func `a drained fetcher gets no more jobs, and the client hears when it has said so`() async {
    await fixture.run([
      [hello(1), hello(2)], [drain(1)], [fixture.submission(0..<4)], [drains(1)], [], [],
    ])
    #expect(orders(to: 1) == 1)
    #expect(jobs(of: 1) == 0)
    #expect(jobs(of: 2) == 4)
    #expect(outcomes == [.leaving(jobs: 0)])
  }

  @Test func `it is told again with every heartbeat until it has said that it drains`() async {
    await fixture.run([[hello(1)], [drain(1)], [hello(1)], [hello(1)], [drains(1)], [hello(1)], []])
    #expect(orders(to: 1) == 3)
    #expect(outcomes.count == 1)
  }

  @Test func `a wish that is repeated is answered each time`() async {
    await fixture.run([[hello(1)], [drain(1)], [drains(1)], [drain(1)], [drain(1)], []])
    #expect(outcomes == .init(repeating: .leaving(jobs: 0), count: 3))
  }

  @Test func `a drained decoder is in no roster`() async {
    await fixture.run([[hello(1), hello(2, .decoder), hello(3, .decoder)], [drain(2)], [drains(2)], []])
    let rosters = fixture.sent(to: Self.address(1)).compactMap {
      if case .roster(let roster) = $0 { roster.decoders.map(\.worker) } else { nil }
    }
    #expect(rosters.contains([Self.id(2), Self.id(3)]))
    #expect(rosters.last == [Self.id(3)])
  }

  @Test func `a worker that is gone needs no draining`() async {
    await fixture.run([
      [hello(1)], [drain(1), drain(7)], [.bye(Bye(worker: Self.id(1)))], [drain(1)], [],
    ])
    #expect(
      fixture.tells.map(\.id.low) == [7, 1, 1] && outcomes == .init(repeating: .gone, count: 3))
  }

  @Test func `a wish that comes too late is dropped`() async {
    await fixture.run([[hello(1)], [drain(1, within: 0)], [hello(1)], []])
    #expect(orders(to: 1) == 0)
    #expect(fixture.tells.isEmpty)
  }
}
