import Pipeline
import PipelineTesting
import Testing

@testable import Roles

/// How a fetcher judges its decoders.
@Suite(.timeLimit(.minutes(10)))
struct DecoderLanesTests {
  private let clock = ManualClock(isStepping: true)
  private let transport = RecordingTransport()
  private let lanes: DecoderLanes
  private let fetcher = WorkerID.numbered(1)
  private let decoder = WorkerID.numbered(2)
  private let decoderAddress = Address("inproc://decoder")

  init() {
    lanes = DecoderLanes(ports: RolePorts(transport: transport, clock: clock, random: .seeded(1)))
  }

  /// The aggregator says who decodes, and the lanes are flushed.
  private func follow() async {
    let hello = Hello(
      worker: fetcher, role: .fetcher, locality: "here", address: Address("inproc://fetcher"), granted: 0,
      received: 0)
    let roster = Roster(decoders: [Roster.Peer(worker: decoder, address: decoderAddress)])
    let suspects = await lanes.follow(
      roster, as: hello, notifying: ScriptedInbox(Address("inproc://fetcher"), []))
    #expect(suspects.isEmpty)
    lanes.flush()
  }

  /// It says which suspect it is reading.
  private func reads(_ token: UInt64) {
    lanes.received(
      Hello(
        worker: decoder, role: .decoder, locality: "here", address: decoderAddress, granted: 0, received: 0,
        executing: [LeaseToken(token)]))
  }

  private func answer() {
    lanes.received(Credit(from: decoder, granted: 64))
  }

  private func handOver(_ token: UInt64, _ kind: JobKind = .echo, bytes: Int = 0) -> Int {
    let job = Job(batch: BatchID(UUIDv7(high: 2, low: 1)), ordinal: token, kind: kind, input: nil)
    var document = Document(
      passing: JobOrder(job: job, lease: Lease(token: LeaseToken(token), attempt: 1)), by: fetcher)
    document.body = Array(repeating: 0, count: bytes == 0 ? 0 : bytes + BodyMemory.freeBytes)
    lanes.add(document)
    return lanes.sendWaiting()
  }

  private var greetings: Int {
    transport.sent(to: decoderAddress).count { if case .hello = $0 { true } else { false } }
  }

  /// Of each document that was sent, whether it was as a suspect.
  private var suspicions: [Bool] {
    transport.sent(to: decoderAddress).compactMap { message in
      if case .document(let document) = message { document.order.isSuspect } else { nil }
    }
  }

  @Test func `what large bodies hold counts until a decoder has finished with them`() async {
    await follow()
    #expect(handOver(7, bytes: 10) == 0)
    #expect(lanes.bytes == 10)
    answer()
    #expect(lanes.sendWaiting() == 1)
    #expect(handOver(8, bytes: 5) == 1)
    #expect(handOver(9, bytes: 3) == 1)
    #expect(lanes.bytes == 18)
    lanes.received(Credit(from: decoder, granted: 64, finished: [LeaseToken(7), LeaseToken(9)]))
    #expect(lanes.bytes == 5)
    _ = await lanes.lost(decoderAddress)
    #expect(lanes.bytes == 5)
    _ = handOver(10, bytes: 0)
    #expect(lanes.bytes == 5)
  }

  @Test(arguments: [(JobKind.title, [false, false, true, true]), (.echo, [false, false, false, false])])
  func `a document that lost two decoders is a suspect, if anything is read of it`(
    _ kind: JobKind, _ expected: [Bool]
  ) async {
    await follow()
    answer()
    #expect(handOver(7, kind) == 1)
    lanes.flush()
    for _ in 1..<expected.count {
      #expect(await lanes.lost(decoderAddress) == nil, "it named none")
      await follow()
      answer()
      #expect(lanes.sendWaiting() == 0, "its place was given back before")
      lanes.flush()
    }
    #expect(suspicions == expected)
  }

  @Test func `the suspect that a lost decoder was reading is named with it`() async {
    await follow()
    answer()
    #expect(handOver(7) == 1)
    reads(7)
    #expect(
      await lanes.lost(decoderAddress) == DecoderLanes.Suspect(token: LeaseToken(7), decoder: decoder))
    #expect(lanes.tokens.isEmpty)
  }

  @Test func `a decoder is greeted once a heartbeat, and not given up because others come and go`() async {
    await follow()
    answer()
    for _ in 0..<20 { await follow() }
    #expect(greetings == 1)
    #expect(handOver(7) == 1, "the lane is there")
  }

  @Test func `a fetcher that stood still itself gives no decoder up`() async {
    await follow()
    answer()
    for _ in 0..<3 {
      clock.advance(byMilliseconds: 30_000)
      await follow()
    }
    #expect(handOver(7) == 1)
  }

  @Test func `a decoder that answers nothing for long is given up`() async {
    await follow()
    answer()
    for _ in 0..<6 {
      clock.advance(byMilliseconds: 2_000)
      await follow()
    }
    #expect(handOver(7) == 0, "no lane is left")
  }

  @Test func `a document behind many open greetings is kept until one that was said later is answered`() async
  {
    await follow()
    answer()
    for _ in 0..<5 {
      clock.advance(byMilliseconds: 2_000)
      await follow()
    }
    #expect(handOver(7) == 1)
    for _ in 0..<5 { answer() }
    #expect(lanes.tokens == [LeaseToken(7)])
    for _ in 0..<2 {
      clock.advance(byMilliseconds: 2_000)
      await follow()
      answer()
    }
    #expect(lanes.tokens.isEmpty)
  }
}
