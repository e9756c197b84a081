import Testing

@testable import Pipeline

struct FrameLimitTests {
  private static let worker = WorkerID(UUIDv7(high: 1, low: 2))
  private static let batch = BatchID(UUIDv7(high: 1, low: 3))

  /// A result that takes so many bytes behind its header, of the millions that it may take.
  private static func result(bytes: Int) -> Envelope {
    func result(_ members: Int) -> Message {
      .result(
        JobResult(
          job: JobID(UUIDv7(high: 3, low: 4)), sender: worker,
          lease: Lease(token: LeaseToken(5), attempt: 1), failure: nil,
          members: [UInt8](repeating: 0x20, count: members), milliseconds: 1))
    }
    // The length takes as many bytes then.
    let others = EnvelopeCodec.bytes(of: result(bytes)) - Frame.headerBytes - bytes
    return Envelope(result(bytes - others))
  }

  @Test func `the largest message is sent, one byte more is not`() throws {
    let limit = Frame.longestBody
    let isSame =
      try EnvelopeCodec.decode(EnvelopeCodec.encode(Self.result(bytes: limit))).message
      == Self.result(bytes: limit).message
    #expect(isSame)
    #expect(throws: FrameTooLarge(bytes: limit + 1, limit: limit)) {
      try EnvelopeCodec.encode(Self.result(bytes: limit + 1))
    }
  }

  @Test func `a message over the limit is refused, however it came`() throws {
    var frame = try FrameSurgery(on: Self.result(bytes: Frame.longestBody))
    frame.append([0x20])
    #expect(frame.refusal() == .wrongLength)
  }

  @Test func `a length near four gigabytes is refused without being allocated`() throws {
    var frame = try FrameSurgery(on: Envelope(.drain))
    frame.write(.max, at: FrameSurgery.Offset.length)
    frame.fixChecksum()
    #expect(frame.refusal() == .wrongLength)
  }

  @Test(arguments: [31, 33, 0x7F, 0xFF] as [UInt8])
  func `a list of tokens that is not as long as it says is refused`(length: UInt8) throws {
    var frame = try FrameSurgery(on: Envelope(.ack(Ack(tokens: [LeaseToken(1), LeaseToken(2)]))))
    frame.bytes[Frame.headerBytes + 1] = length
    frame.fixChecksum()
    guard case .malformed = frame.refusal() else {
      Issue.record("\(String(describing: frame.refusal()))")
      return
    }
  }

  @Test func `lists that take far more memory than bytes are refused, also if each is short`() throws {
    let submit = Submit(batch: Self.batch, sequence: 0, replyTo: Address("a"), jobs: []).fields
    let job = Job(batch: Self.batch, ordinal: 0, kind: .decode, input: nil)
    // Texts of two bytes each, which are kept, and whose strings take 16 bytes.
    let texts = (0..<100_000).flatMap { _ in [FieldKey(12, .block, isCritical: true).byte, 0] }
    let crowded = job.fields + texts
    for (count, isTooMuch) in [(9, false), (10, true)] {
      var frame = try FrameSurgery(on: Envelope(.drain))
      frame.bytes[FrameSurgery.Offset.message] = 4
      frame.append(submit + (0..<count).flatMap { _ in block(6, crowded) })
      #expect(frame.refusal() == (isTooMuch ? .malformed("field 12 of Job") : nil))
    }
  }

  private func block(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
    var writer = ByteWriter()
    writer.number(UInt64(bytes.count))
    return [FieldKey(number, .block, isCritical: false).byte] + writer.bytes + bytes
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

extension Archived {
  fileprivate var fields: [UInt8] {
    var writer = ByteWriter()
    write(to: &writer)
    return writer.bytes
  }
}
