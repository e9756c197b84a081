import Pipeline
import PipelineTesting
import Posix
import Testing
import TransportInProcess

@testable import Roles

/// A fetcher whose aggregator takes nothing for a while.
@Suite(.timeLimit(.minutes(10)))
struct StuckLaneTests {
  /// Takes no message until it is told to.
  private final class StuckOutlet: Outlet {
    let gate = AsyncStream.makeStream(of: Void.self)
    let sent = Lock<[Message]>([])
    let isSending = AsyncStream.makeStream(of: Void.self)

    func send(_ burst: [Envelope]) async throws {
      isSending.continuation.yield()
      for await _ in gate.stream { break }
      sent.withLock { $0 += burst.map(\.message) }
      if burst.contains(where: { if case .bye = $0.message { true } else { false } }) {
        isSending.continuation.finish()
      }
    }

    var slotRequests: Int {
      sent.withLock { $0.count { if case .hostSlotRequest = $0 { true } else { false } } }
    }

    func receiverSpoke() {}
    func close() async {}
  }

  private struct StuckTransport: Transport {
    let base: InProcessTransport
    let outlet: StuckOutlet

    func bind(_ address: Address) async throws -> any Inbox { try await base.bind(address) }
    func connect(to address: Address, notifying inbox: (any Inbox)?) async throws -> any Outlet { outlet }
  }

  @Test func `a request for a host's slot is not repeated while what was said before is held up`()
    async throws
  {
    let clock = ManualClock()
    let outlet = StuckOutlet()
    let transport = InProcessTransport(clock: clock)
    let ports = RolePorts(
      transport: StuckTransport(base: transport, outlet: outlet), clock: clock, random: .seeded(1))
    let inbox = try await transport.bind(Address("inproc://f"))
    let fetched = AsyncStream.makeStream(of: Void.self)
    let fetching = ScriptedFetching { request in
      fetched.continuation.yield()
      return .success(.redirect(to: "http://page.test/"))
    }
    let identity = WorkerIdentity(
      at: Moment(unixMilliseconds: 0), secret: .none, locality: "here", aggregator: Address("inproc://a"))
    let fetcher = Fetcher(
      settings: FetcherSettings(), identity: identity, inbox: inbox, ports: ports, fetching: fetching)
    let run = Task { try await fetcher.run() }
    let lane = try await transport.connect(to: inbox.address)
    let job = Job(
      batch: BatchID(UUIDv7(high: 2, low: 2)), ordinal: 0, kind: .unfurl, input: "http://sho.rt/")
    let order = JobOrder(job: job, lease: Lease(token: LeaseToken(1), attempt: 1))
    try await lane.send([
      Envelope.said(.roster(Roster(decoders: []))), Envelope.said(.job(order), laneSequence: 1),
    ])
    for await _ in fetched.stream { break }
    for await _ in outlet.isSending.stream { break }
    for _ in 0..<600 {
      clock.advance(byMilliseconds: 100)
      for _ in 0..<5 { await Task.yield() }
    }
    outlet.gate.continuation.finish()
    // On a busy machine the walk may not have come to its next host before.
    while outlet.slotRequests == 0 { await Task.yield() }
    try await lane.send([Envelope.said(.cancel(Cancel(.leases([LeaseToken(1)]), cause: "over")))])
    try await lane.send([Envelope.said(.ack(Ack(tokens: [LeaseToken(1)])))])
    await fetcher.drain()
    let time = Task {
      while !Task.isCancelled {
        clock.advance(byMilliseconds: 100)
        try await lane.send([Envelope.said(.ack(Ack(tokens: [LeaseToken(1)])))])
        await Task.yield()
      }
    }
    try await run.value
    time.cancel()
    #expect((1...3).contains(outlet.slotRequests))
  }
}
