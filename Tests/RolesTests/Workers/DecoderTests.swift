import Pipeline
import PipelineTesting
import Posix
import Testing

@testable import Roles

/// What a decoder says, and when: whoever waits for it judges by that.
@Suite(.timeLimit(.minutes(10)))
struct DecoderTests {
  private let clock = ManualClock(isStepping: true)
  private let transport = RecordingTransport()
  private let fetcher = WorkerID.numbered(1)
  private let fetcherAddress = Address("inproc://fetcher")
  private let aggregator = Address("inproc://aggregator")

  private var greeting: Message {
    .hello(
      Hello(
        worker: fetcher, role: .fetcher, locality: "here", address: fetcherAddress, granted: 0, received: 0))
  }

  private func document(_ token: UInt64, isSuspect: Bool = false) -> Message {
    let job = Job(batch: BatchID(UUIDv7(high: 2, low: 1)), ordinal: token, kind: .echo, input: nil)
    var order = JobOrder(job: job, lease: Lease(token: LeaseToken(token), attempt: 1))
    order.isSuspect = isSuspect
    return .document(Document(passing: order, by: fetcher))
  }

  /// Runs a decoder over bursts of messages; `reading` is told of each document before it is read.
  private func decode(
    _ bursts: [[Message]], reading: @escaping @Sendable (LeaseToken) -> Void
  ) async {
    let ports = RolePorts(transport: transport, clock: clock, random: .seeded(1))
    let identity = WorkerIdentity(
      at: Moment(unixMilliseconds: 0), secret: .none, locality: "here", aggregator: aggregator)
    let decoder = Decoder(
      identity: identity,
      inbox: ScriptedInbox(
        Address("inproc://decoder"), bursts,
        secret: { $0.speaker.map(LaneSecret.none.shared) ?? .none }), ports: ports,
      reading: { reading($0.order.lease.token) })
    await #expect(throws: CancellationError.self) { try await decoder.run() }
  }

  private var tokensWithResults: Set<LeaseToken> {
    Set(
      transport.sent(to: aggregator).compactMap { message in
        if case .result(let result) = message { result.lease.token } else { nil }
      })
  }

  /// The suspects that the fetcher was told of, one after the other; nil for none.
  private var suspectsSaid: [LeaseToken?] {
    transport.sent(to: fetcherAddress).compactMap { message in
      if case .hello(let hello) = message { .some(hello.executing.first) } else { nil }
    }
  }

  @Test func `a suspect that was survived is cleared before the next document is read`() async {
    let known = Lock<(suspects: [LeaseToken?], results: Set<LeaseToken>, waited: Int64)>(([], [], 0))
    let start = clock.now
    await decode([[greeting], [document(7, isSuspect: true), document(8)]]) { token in
      guard token == LeaseToken(8) else { return }
      known.withLock { $0 = (suspectsSaid, tokensWithResults, clock.now.milliseconds(since: start)) }
    }
    let seen = known.withLock { $0 }
    #expect(seen.suspects == [LeaseToken(7), nil])
    #expect(seen.results == [LeaseToken(7)])
    #expect(seen.waited == 4, "both words had the time to leave")
  }

  @Test func `a fetcher in whose name another one spoke has its credit again`() async {
    let liar = Hello(
      worker: fetcher, role: .fetcher, locality: "here", address: Address("inproc://liar"), granted: 0,
      received: 9)
    await decode([[.hello(liar)], [greeting]]) { _ in }
    let credit = transport.sent(to: fetcherAddress).compactMap { message in
      if case .credit(let credit) = message { credit.granted } else { nil }
    }
    #expect(credit.contains { $0 > 0 })
  }

  @Test func `one that leaves says so with each HELLO, as the lane may be cut when it first does`() async {
    let documents = (1...10 as ClosedRange<UInt64>).map { document($0) }
    await decode([[greeting], [.drain] + documents] + Array(repeating: [], count: 10)) { _ in
      clock.advance(byMilliseconds: 1_000)
    }
    let sent = transport.sent(to: aggregator)
    let first = sent.firstIndex { if case .giveBack = $0 { true } else { false } }
    let hellos = sent[(first ?? 0)...].count { if case .hello = $0 { true } else { false } }
    let leaves = sent.count { if case .giveBack(let back) = $0 { back.reason == .draining } else { false } }
    #expect(hellos > 2)
    #expect(leaves == 1 + hellos)
  }

  @Test func `results and HELLOs do not wait until a long burst is read`() async {
    let documents = (1...100 as ClosedRange<UInt64>).map { document($0) }
    let most = Lock<(unsent: Int, silent: Int64)>((0, 0))
    let lastHello = Lock<(count: Int, at: Moment)>((0, clock.now))
    await decode([[greeting], documents] + Array(repeating: [], count: 100)) { token in
      let hellos = transport.sent(to: aggregator).count { if case .hello = $0 { true } else { false } }
      let silent = lastHello.withLock { last in
        if hellos > last.count { last = (hellos, clock.now) }
        return clock.now.milliseconds(since: last.at)
      }
      let unsent = Int(token.value) - 1 - tokensWithResults.count
      most.withLock { $0 = (max($0.unsent, unsent), max($0.silent, silent)) }
      clock.advance(byMilliseconds: 50)
    }
    #expect(tokensWithResults.count == 100)
    let seen = most.withLock { $0 }
    #expect(seen.unsent <= 2)
    #expect(seen.silent <= 2_200)
  }
}
