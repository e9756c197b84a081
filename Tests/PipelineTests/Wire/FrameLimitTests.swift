import Testing

@testable import Pipeline

struct FrameLimitTests {
  private static let worker = WorkerID(UUIDv7(high: 1, low: 2))

  private static func result(payloadBytes: Int) -> Envelope {
    Envelope(
      .result(
        JobResult(
          job: JobID(UUIDv7(high: 3, low: 4)), sender: worker,
          lease: Lease(token: LeaseToken(5), attempt: 1), failure: nil,
          members: [UInt8](repeating: 0x20, count: payloadBytes - 4), milliseconds: 1)))
  }

  private static func hello(localityBytes: Int) -> Envelope {
    Envelope(
      .hello(
        Hello(
          worker: worker, role: .decoder, locality: String(repeating: "c", count: localityBytes),
          address: Address("inproc://a"), granted: 1, received: 0)))
  }

  @Test func `the largest payload is sent, one byte more is not`() throws {
    let limit = FrameLayout.longestPayload
    let isSame =
      try EnvelopeCodec.decode(EnvelopeCodec.encode(Self.result(payloadBytes: limit))).message
      == Self.result(payloadBytes: limit).message
    #expect(isSame)
    #expect(throws: FrameTooLarge(bytes: limit + 1, limit: limit)) {
      try EnvelopeCodec.encode(Self.result(payloadBytes: limit + 1))
    }
  }

  @Test func `the largest extensions are sent, one byte more is not`() throws {
    let limit = FrameLayout.longestExtensions
    let others = Int(
      try FrameSurgery(on: Self.hello(localityBytes: 0)).read(at: FrameSurgery.Offset.extensionsLength))
    let largest = Self.hello(localityBytes: limit - others)
    #expect(try EnvelopeCodec.decode(EnvelopeCodec.encode(largest)) == largest)
    #expect(throws: FrameTooLarge(bytes: limit + 1, limit: limit)) {
      try EnvelopeCodec.encode(Self.hello(localityBytes: limit - others + 1))
    }
  }

  @Test func `a payload over the limit is refused, however it came`() throws {
    var frame = try FrameSurgery(on: Self.result(payloadBytes: FrameLayout.longestPayload))
    frame.appendToPayload([0x20])
    #expect(frame.refusal() == .wrongLength)
  }

  @Test func `extensions over the limit are refused, however they came`() throws {
    var frame = try FrameSurgery(on: Envelope(.drain))
    frame.addExtension(0x7FFF, [UInt8](repeating: 0, count: FrameLayout.longestExtensions - 6))
    #expect(frame.refusal() == nil)
    frame.addExtension(0x7FFF, [])
    #expect(frame.refusal() == .wrongLength)
  }

  @Test(arguments: [36, 40])
  func `a length near four gigabytes is refused without being allocated`(offset: Int) throws {
    var frame = try FrameSurgery(on: Self.result(payloadBytes: 10))
    frame.write(.max, at: offset)
    frame.fixChecksum()
    #expect(frame.refusal() == .wrongLength)
  }

  @Test(arguments: [0x1FFF_FFFF, 0x2000_0000, 0xFFFF_FFFF, 3] as [UInt32])
  func `a list that claims more tokens than there are bytes is refused`(count: UInt32) throws {
    var frame = try FrameSurgery(on: Envelope(.ack(Ack(tokens: [LeaseToken(1), LeaseToken(2)]))))
    frame.write(count, at: FrameLayout.headerBytes)
    frame.fixChecksum()
    #expect(frame.refusal() == .malformed("tokens"))
  }

  @Test func `a worker with 10,000 transfers can name all of them`() throws {
    let tokens = (1...10_000).map { LeaseToken($0) }
    let messages: [Message] = [
      .hello(
        Hello(
          worker: Self.worker, role: .fetcher, locality: "c", address: Address("a"), granted: 1, received: 0,
          held: tokens, executing: tokens)),
      .credit(Credit(from: Self.worker, granted: 1, finished: tokens)),
      .ack(Ack(tokens: tokens)),
      .giveBack(GiveBack(from: Self.worker, tokens: tokens, reason: .draining)),
      .cancel(Cancel(.leases(tokens), cause: "interrupted")),
    ]
    for message in messages {
      let isSame = try EnvelopeCodec.decode(EnvelopeCodec.encode(Envelope(message))).message == message
      #expect(isSame)
    }
  }
}
