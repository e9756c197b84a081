import Pipeline
import PipelineTesting
import Testing
import TransportInProcess

@testable import Roles

@Suite(.timeLimit(.minutes(10)))
struct SwitchboardTests {
  private let clock = ManualClock()
  private let worker = WorkerID(UUIDv7(high: 1, low: 1))

  @Test func `a client that says nothing for a minute is forgotten, a worker is not`() async throws {
    let ports = RolePorts(
      transport: InProcessTransport(clock: clock), clock: clock, random: Randomness { 0 })
    let own = try await ports.transport.bind(Address("inproc://own"))
    let addresses = ["inproc://gone", "inproc://here", "inproc://worker"].map { Address($0) }
    var inboxes: [any Inbox] = []
    for address in addresses { inboxes.append(try await ports.transport.bind(address)) }
    let switchboard = Switchboard(ports: ports, inbox: own)
    await switchboard.meet(worker, at: addresses[2])
    await switchboard.meet(addresses[0])
    await switchboard.meet(addresses[1])
    clock.advance(byMilliseconds: 40_000)
    await switchboard.meet(addresses[1])
    #expect(await switchboard.forgetSilent(at: clock.now) == [])
    clock.advance(byMilliseconds: 40_000)
    #expect(await switchboard.forgetSilent(at: clock.now) == [addresses[0]])
    for address in addresses { switchboard.add(.drain, to: address) }
    switchboard.flush()
    #expect(try await inboxes[0].receive(atMost: 1, until: clock.now).isEmpty)
    #expect(try await inboxes[1].receive(atMost: 1, until: clock.now).count == 1)
    #expect(try await inboxes[2].receive(atMost: 1, until: clock.now).count == 1)
  }
}
