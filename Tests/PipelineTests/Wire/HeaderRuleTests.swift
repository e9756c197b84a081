import Testing

@testable import Pipeline

struct HeaderRuleTests {
  private typealias Offset = FrameSurgery.Offset

  private static let order: Envelope = {
    let job = Job(batch: BatchID(UUIDv7(high: 1, low: 2)), ordinal: 3, kind: .title, input: "http://a.test")
    return Envelope(
      .job(JobOrder(job: job, lease: Lease(token: LeaseToken(4), attempt: 1))), laneSequence: 5)
  }()
  private static let credit = Envelope(
    .credit(Credit(from: WorkerID(UUIDv7(high: 1, low: 2)), granted: 3, finished: [LeaseToken(4)])))

  @Test(arguments: [0, 1, 2, 3, 20, 36])
  func `a frame shorter than its header is refused`(length: Int) throws {
    var frame = try FrameSurgery(on: Self.credit)
    frame.bytes.removeSubrange(length...)
    #expect(frame.refusal() == .tooShort)
  }

  @Test(arguments: [0, 1])
  func `another magic is no frame`(offset: Int) throws {
    var frame = try FrameSurgery(on: Self.credit)
    frame.bytes[offset] ^= 0x20
    frame.fixChecksum()
    #expect(frame.refusal() == .notAFrame)
  }

  @Test(arguments: [0, 2, 255] as [UInt8])
  func `another major version is refused by name, before anything else is read`(major: UInt8) throws {
    var frame = try FrameSurgery(on: Self.credit)
    frame.bytes[Offset.major] = major
    frame.bytes.replaceSubrange(4..., with: [UInt8](repeating: 0xFF, count: 96))
    #expect(frame.refusal() == .otherVersion(major: major))
  }

  @Test(arguments: [1, 255] as [UInt8])
  func `a higher minor version is read`(minor: UInt8) throws {
    var frame = try FrameSurgery(on: Self.credit)
    frame.bytes[Offset.minor] = minor
    frame.fixChecksum()
    #expect(try EnvelopeCodec.decode(frame.bytes) == Self.credit)
  }

  @Test(arguments: [0, 20, 255] as [UInt8])
  func `an unknown message is refused by its number`(code: UInt8) throws {
    var frame = try FrameSurgery(on: Self.credit)
    frame.bytes[Offset.message] = code
    frame.fixChecksum()
    #expect(frame.refusal() == .unknownMessage(code))
  }

  @Test(arguments: [4, 40, 63] as [UInt8], [[5], [0xFF, 1]] as [[UInt8]])
  func `an unknown number is passed over`(number: UInt8, value: [UInt8]) throws {
    var frame = try FrameSurgery(on: Self.credit)
    frame.append([FieldKey(number, .number, isCritical: false).byte] + value)
    #expect(try EnvelopeCodec.decode(frame.bytes) == Self.credit)
  }

  @Test(arguments: [4, 40, 63] as [UInt8], [[0], [3, 1, 2, 3]] as [[UInt8]])
  func `an unknown block is passed over`(number: UInt8, value: [UInt8]) throws {
    var frame = try FrameSurgery(on: Self.credit)
    frame.append([FieldKey(number, .block, isCritical: false).byte] + value)
    #expect(try EnvelopeCodec.decode(frame.bytes) == Self.credit)
  }

  @Test(arguments: [4, 40, 63] as [UInt8], [FieldForm.number, .block])
  func `an unknown field that must be known is refused by its number`(number: UInt8, form: FieldForm) throws {
    var frame = try FrameSurgery(on: Self.credit)
    frame.append([FieldKey(number, form, isCritical: true).byte, 0])
    #expect(frame.refusal() == .unknownField(number))
  }

  @Test func `fields out of order and a field that comes again are refused`() throws {
    func field(_ number: UInt8) -> [UInt8] { [FieldKey(number, .block, isCritical: false).byte, 1, 0x61] }
    for fields in [field(2) + field(1), field(1) + field(1), field(2) + field(2)] {
      var bytes = ByteReader(fields[...])
      #expect(throws: FrameError.malformed("order of KeptColumn")) { try KeptColumn(&bytes) }
    }
    var bytes = ByteReader((field(1) + field(40) + field(40))[...])
    #expect(try KeptColumn(&bytes) == KeptColumn("a", ""))
  }

  @Test func `a job is passed on as it came, with fields that only others know, until it is changed`() throws
  {
    let job = Job(batch: BatchID(UUIDv7(high: 1, low: 2)), ordinal: 3, kind: .title, input: "http://a.test/")
    func written(_ job: Job) -> [UInt8] {
      var writer = ByteWriter()
      job.write(to: &writer)
      return writer.bytes
    }
    let unknown = [FieldKey(40, .block, isCritical: false).byte, 1, 0x61]
    let sent = written(job) + unknown
    var bytes = ByteReader(sent[...])
    var known = try Job(&bytes)
    #expect(known == job && written(known) == sent)
    let record = JobRecord.encode(known)
    #expect(try written(JobRecord.decode(record, of: known.id)) == sent)
    known.ref = "mine"
    #expect(!written(known).suffix(3).elementsEqual(unknown) && known.ref == "mine")
  }

  @Test func `a known field may demand to be known`() throws {
    var frame = try FrameSurgery(on: Self.credit)
    frame.bytes[Frame.headerBytes] |= 0x80
    frame.fixChecksum()
    #expect(try EnvelopeCodec.decode(frame.bytes) == Self.credit)
  }

  @Test func `a field of another form, or one that is always there and is not, is refused`() throws {
    for key in [FieldKey(1, .number, isCritical: false), FieldKey(9, .block, isCritical: false)] {
      var frame = try FrameSurgery(on: Self.credit)
      frame.bytes[Frame.headerBytes] = key.byte
      frame.fixChecksum()
      #expect(frame.refusal() == .malformed("field 1 of Credit"))
    }
  }

  @Test(arguments: [-1, 1, 1_000_000, -1_000_000])
  func `a length that is not the frame's is refused`(change: Int) throws {
    var frame = try FrameSurgery(on: Self.order)
    let length = frame.read(at: Offset.length)
    frame.write(length &+ UInt32(truncatingIfNeeded: change), at: Offset.length)
    frame.fixChecksum()
    #expect(frame.refusal() == .wrongLength)
  }

  @Test func `a byte more and a byte less are refused`() throws {
    var longer = try FrameSurgery(on: Self.order)
    longer.bytes.append(0)
    longer.fixChecksum()
    #expect(longer.refusal() == .wrongLength)
    var shorter = try FrameSurgery(on: Self.order)
    shorter.bytes.removeLast()
    shorter.fixChecksum()
    #expect(shorter.refusal() == .wrongLength)
  }

  @Test(arguments: GoldenMessages.all.map(\.name))
  func `a message that goes on after its fields is refused`(name: String) throws {
    let envelope = try #require(GoldenMessages.all.first { $0.name == name }?.envelope)
    var frame = try FrameSurgery(on: envelope)
    frame.append([0])
    guard case .malformed = frame.refusal() else {
      Issue.record("\(String(describing: frame.refusal()))")
      return
    }
  }

  @Test(arguments: GoldenMessages.all.map(\.name))
  func `every flip of one bit is refused`(name: String) throws {
    let envelope = try #require(GoldenMessages.all.first { $0.name == name }?.envelope)
    var frame = try FrameSurgery(on: envelope)
    for bit in 0..<frame.bytes.count * 8 {
      frame.bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      let isRefused = frame.refusal() != nil
      try #require(isRefused, "bit \(bit)")
      frame.bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    }
  }
}
