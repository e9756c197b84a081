/// Jobs as bytes for ledgers: a version, the fields that also travel in frames, and a zero, without which a record that was
/// cut could look whole.
///
/// It stands beside the job's id, and leaves out what follows from it: of id, batch and ordinal it has the six bytes of the
/// batch that are not in the id.
public enum JobRecord {
  private static let version: UInt8 = 1
  /// Version, what an id does not tell of the batch, and the key of the kind.
  private static let bytesBeforeKind = 1 + 2 + 4 + 1

  /// Of a job whose id is that of its place in its batch, as of all that an aggregator takes.
  public static func encode(_ job: Job) -> [UInt8] {
    var writer = ByteWriter()
    writer.integer(version)
    writer.integer(UInt8(truncatingIfNeeded: job.batch.uuid.low >> 56))
    writer.integer(UInt8(truncatingIfNeeded: job.batch.uuid.low >> 32))
    writer.integer(UInt32(truncatingIfNeeded: job.batch.uuid.low))
    job.writeFields(to: &writer)
    writer.integer(recordEnd)
    return writer.bytes
  }

  /// Takes exactly one record.
  public static func decode(_ bytes: [UInt8], of id: JobID) throws(FrameError) -> Job {
    var reader = ByteReader(bytes[...])
    try reader.checkVersion(version)
    var low = id.uuid.low & 0x00FF_FF00_0000_0000
    low |= UInt64(try reader.integer(as: UInt8.self)) << 56
    low |= UInt64(try reader.integer(as: UInt8.self)) << 32
    low |= UInt64(try reader.integer(as: UInt32.self))
    let batch = BatchID(UUIDv7(high: id.uuid.high, low: low))
    var job = Job(batch: batch, ordinal: id.ordinalBits, kind: .echo, input: nil)
    var coder = ArchiveReader(ByteReader(try reader.fields()), of: Job.self)
    job.parts.value.id = id
    job.parts.value.codeFields(&coder)
    try coder.finish()
    return job
  }

  /// What the fields of a job take in a frame.
  public static func bytes(of job: Job) -> Int {
    var writer = ByteWriter(.count)
    job.write(to: &writer)
    return writer.count
  }

  /// The kind of the job in a record, read without the rest; nil when it is none.
  public static func kind(in bytes: [UInt8]) -> JobKind? {
    guard bytes.first == version, bytes.count > bytesBeforeKind else { return nil }
    return JobKind(rawValue: bytes[bytesBeforeKind])
  }
}

/// Failures as bytes, in the same manner.
public enum FailureRecord {
  private static let version: UInt8 = 1

  public static func encode(_ failure: Failure) -> [UInt8] {
    var writer = ByteWriter()
    writer.integer(version)
    failure.write(to: &writer)
    writer.integer(recordEnd)
    return writer.bytes
  }

  /// Takes exactly one record.
  public static func decode(_ bytes: [UInt8]) throws(FrameError) -> Failure {
    var reader = ByteReader(bytes[...])
    try reader.checkVersion(version)
    var fields = ByteReader(try reader.fields())
    return try Failure(&fields)
  }
}

private let recordEnd: UInt8 = 0

extension ByteReader {
  /// All before the end.
  fileprivate mutating func fields() throws(FrameError) -> ArraySlice<UInt8> {
    let rest = rest()
    guard rest.last == recordEnd else { throw .malformed("end of the record") }
    return rest.dropLast()
  }

  fileprivate mutating func checkVersion(_ version: UInt8) throws(FrameError) {
    let found = try integer(as: UInt8.self)
    guard found == version else { throw .otherVersion(major: found) }
  }
}
