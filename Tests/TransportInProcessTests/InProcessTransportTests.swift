import Pipeline
import PipelineTesting
import Testing
import TransportInProcess

@Suite(.timeLimit(.minutes(10)))
struct InProcessTransportTests {
  @Test(
    arguments: TransportSuite.rules + TransportSuite.holdingBack + TransportSuite.insideOneProcess, [1, 64])
  func `the transport inside a process keeps the rules of the port`(
    rule: PortRule<TransportFixture>, capacity: Int
  ) async throws {
    let clock = ManualClock()
    let fixture = TransportFixture(
      InProcessTransport(capacity: capacity, clock: clock), clock: clock, roomOfALane: capacity
    ) { Address("inproc://\($0)") }
    try await soon("the rule to be proven: \(rule.testDescription)") { try await rule.prove(on: fixture) }
  }
}
