import Pipeline
import PipelineTesting
import Posix
import Testing
import TransportInProcess

@testable import Roles

/// A fetcher that got a job, and has not heard from its aggregator what that knows.
@Suite(.timeLimit(.minutes(10)))
struct HostSlotAskingTests {
  private static let token = LeaseToken(1)

  private func order() -> JobOrder {
    let job = Job(batch: BatchID(UUIDv7(high: 2, low: 2)), ordinal: 0, kind: .unfurl, input: "http://sho.rt/")
    return JobOrder(job: job, lease: Lease(token: Self.token, attempt: 1))
  }

  /// The messages that came, up to the first that is wanted.
  private func next(at inbox: any Inbox, _ isWanted: (Message) -> Bool) async throws {
    while true {
      for case .envelope(let envelope) in try await inbox.receive(atMost: 1, until: nil)
      where isWanted(envelope.message) { return }
    }
  }

  @Test func `a walk asks before it goes on to another host, and waits for the answer`() async throws {
    let transport = InProcessTransport(clock: ManualClock())
    let aggregator = try await transport.bind(Address("inproc://a"))
    let asked = Lock<[String]>([])
    let fetching = ScriptedFetching { request in
      asked.withLock { $0.append(request.url) }
      return .success(
        request.url == "http://sho.rt/" ? .redirect(to: "http://page.test/") : FetchResponse(status: 200))
    }
    let fetcher = Fetcher(
      settings: FetcherSettings(),
      identity: WorkerIdentity(
        at: Moment(unixMilliseconds: 0), secret: .none, locality: "here", aggregator: aggregator.address),
      inbox: try await transport.bind(Address("inproc://f")),
      ports: RolePorts(transport: transport, clock: ManualClock(), random: .seeded(1)), fetching: fetching)
    let run = Task { try await fetcher.run() }
    let lane = try await transport.connect(to: Address("inproc://f"))
    try await lane.send([Envelope.said(.job(order()), laneSequence: 1)])
    try await next(at: aggregator) { if case .hostSlotRequest = $0 { true } else { false } }
    #expect(asked.withLock { $0 } == ["http://sho.rt/"])
    try await lane.send([Envelope.said(.hostSlotGrant(HostSlotGrant(token: Self.token, number: 1)))])
    try await next(at: aggregator) { if case .result = $0 { true } else { false } }
    #expect(asked.withLock { $0 } == ["http://sho.rt/", "http://page.test/"])
    run.cancel()
    _ = await run.result
  }
}
