import Pipeline
import PipelineTesting
import Posix
import Testing
import TransportInProcess

@testable import Roles

@Suite(.timeLimit(.minutes(10)))
struct ConnectionsTests {
  private let clock = ManualClock()
  private let worker = WorkerID.numbered(1)

  @Test func `a client that says nothing for a minute is forgotten, a worker is not`() async throws {
    let ports = RolePorts(
      transport: InProcessTransport(clock: clock), clock: clock, random: Randomness { 0 })
    let own = try await ports.transport.bind(Address("inproc://own"))
    let addresses = ["inproc://gone", "inproc://here", "inproc://worker"].map { Address($0) }
    var inboxes: [any Inbox] = []
    for address in addresses { inboxes.append(try await ports.transport.bind(address)) }
    let connections = Connections(ports: ports, inbox: own)
    await connections.meet(worker, at: addresses[2])
    await connections.meet(addresses[0])
    await connections.meet(addresses[1])
    clock.advance(byMilliseconds: 40_000)
    await connections.meet(addresses[1])
    #expect(await connections.forgetSilent(at: clock.now) == [])
    clock.advance(byMilliseconds: 40_000)
    #expect(await connections.forgetSilent(at: clock.now) == [addresses[0]])
    for address in addresses { connections.add(.drain, to: address) }
    connections.flush()
    #expect(try await inboxes[0].receive(atMost: 1, until: clock.now).isEmpty)
    #expect(try await inboxes[1].receive(atMost: 1, until: clock.now).count == 1)
    #expect(try await inboxes[2].receive(atMost: 1, until: clock.now).count == 1)
  }

  @Test func `addresses at which nobody is take no more lanes than there may be, and nobody else's`()
    async throws
  {
    let transport = CountedTransport(base: InProcessTransport(clock: clock))
    let ports = RolePorts(transport: transport, clock: clock, random: Randomness { 0 })
    let own = try await transport.bind(Address("inproc://own"))
    let here = try await transport.bind(Address("inproc://here"))
    let connections = Connections(ports: ports, inbox: own)
    await connections.meet(here.address)
    connections.reached(here.address)
    for number in 0..<2_000 { await connections.meet(Address("inproc://nobody-\(number)")) }
    #expect(transport.open <= 501)
    connections.add(.drain, to: here.address)
    connections.flush()
    #expect(try await here.receive(atMost: 1, until: clock.now).count == 1)
  }

  @Test func `of too many clients those go that were silent for longest`() async throws {
    let transport = CountedTransport(base: InProcessTransport(clock: clock))
    let ports = RolePorts(transport: transport, clock: clock, random: Randomness { 0 })
    let own = try await transport.bind(Address("inproc://own"))
    let connections = Connections(ports: ports, inbox: own)
    let workplace = Address("inproc://worker")
    let (old, here) = (Address("inproc://old"), Address("inproc://here"))
    await connections.meet(worker, at: workplace)
    for address in [old, here] { await connections.meet(address) }
    for address in [workplace, old, here] { connections.reached(address) }
    for number in 0..<5_000 {
      clock.advance(byMilliseconds: 1)
      let address = Address("inproc://client-\(number)")
      await connections.meet(address)
      connections.reached(address)
      await connections.meet(here)
    }
    #expect(transport.open <= 4_097)
    #expect(connections.hasLane(to: workplace) && connections.hasLane(to: here))
    #expect(!connections.hasLane(to: old) && connections.hasLane(to: Address("inproc://client-4999")))
  }

  @Test func `lanes that cannot be made are told now and then`() async throws {
    let log = CountingLog()
    let ports = RolePorts(
      transport: InProcessTransport(clock: clock), clock: clock, random: Randomness { 0 }, log: log)
    let connections = Connections(
      ports: ports, inbox: try await ports.transport.bind(Address("inproc://own")))
    for number in 0..<1_000 { await connections.meet(Address("inproc://nobody-\(number)")) }
    #expect(log.count == 1)
    clock.advance(byMilliseconds: 10_000)
    await connections.meet(Address("inproc://nobody"))
    #expect(log.count == 2)
  }
}

/// Counts the lanes that are not closed. Those to nobody wait, as between processes.
private final class CountedTransport: Transport {
  private let base: InProcessTransport
  private let count = Lock(0)

  init(base: InProcessTransport) { self.base = base }

  var open: Int { count.withLock { $0 } }

  func bind(_ address: Address) async throws -> any Inbox { try await base.bind(address) }

  func connect(to address: Address, notifying inbox: (any Inbox)?) async throws -> any Outlet {
    let outlet = try? await base.connect(to: address, notifying: inbox)
    count.withLock { $0 += 1 }
    return CountedOutlet(base: outlet) { [count] in count.withLock { $0 -= 1 } }
  }
}

private struct CountedOutlet: Outlet {
  let base: (any Outlet)?
  let closed: @Sendable () -> Void

  func send(_ burst: [Envelope]) async throws { try await base?.send(burst) }
  func offer(_ burst: [Envelope]) -> Bool { base?.offer(burst) == true }
  func receiverSpoke() { base?.receiverSpoke() }

  func close() async {
    await base?.close()
    closed()
  }
}

private final class CountingLog: Log {
  private let lines = Lock(0)

  var count: Int { lines.withLock { $0 } }

  func record(_ level: LogLevel, _ message: StaticString, _ fields: [LogField]) {
    lines.withLock { $0 += 1 }
  }
}

extension Connections {
  fileprivate func meet(_ address: Address) async { _ = await meet(address, .none) }
  fileprivate func meet(_ worker: WorkerID, at address: Address) async {
    _ = await meet(worker, at: address, .none)
  }
}
