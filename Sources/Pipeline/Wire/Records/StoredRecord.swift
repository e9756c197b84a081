/// Jobs as bytes for ledgers: a version, then the record that also travels in frames.
///
/// It stands beside the job's id, and leaves out what follows from it: of id, batch and ordinal, 40 bytes, it has the six of
/// the batch that are not in the id.
public enum JobRecord {
  private static let version: UInt8 = 1
  /// Version, and what an id does not tell of the batch.
  private static let headBytes = 1 + 2 + 4

  /// Of a job whose id is that of its place in its batch, as of all that an aggregator takes.
  public static func encode(_ job: Job) -> [UInt8] {
    var writer = ByteWriter()
    writer.integer(version)
    writer.integer(UInt8(truncatingIfNeeded: job.batch.uuid.low >> 56))
    writer.integer(UInt8(truncatingIfNeeded: job.batch.uuid.low >> 32))
    writer.integer(UInt32(truncatingIfNeeded: job.batch.uuid.low))
    writer.jobBody(job)
    return writer.bytes
  }

  /// Takes exactly one record.
  public static func decode(_ bytes: [UInt8], of id: JobID) throws(FrameError) -> Job {
    var reader = ByteReader(bytes[...])
    let version = try reader.integer("record version", as: UInt8.self)
    guard version == Self.version else { throw .otherVersion(major: version) }
    var low = id.uuid.low & 0x00FF_FF00_0000_0000
    low |= UInt64(try reader.integer("batch", as: UInt8.self)) << 56
    low |= UInt64(try reader.integer("batch", as: UInt8.self)) << 32
    low |= UInt64(try reader.integer("batch", as: UInt32.self))
    let batch = BatchID(UUIDv7(high: id.uuid.high, low: low))
    let job = try reader.jobBody(id, batch, id.ordinalBits)
    guard reader.isAtEnd else { throw .malformed("bytes after the record") }
    return job
  }

  /// What the record of a job takes in a frame.
  public static func bytes(of job: Job) -> Int {
    var writer = ByteWriter(.count)
    writer.job(job)
    return writer.count
  }

  /// The kind of the job in a record, read without the rest; nil when it is none.
  public static func kind(in bytes: [UInt8]) -> JobKind? {
    guard bytes.first == version, bytes.count > headBytes else { return nil }
    return JobKind(rawValue: bytes[headBytes])
  }
}

/// Failures as bytes, in the same manner.
public enum FailureRecord {
  private static let version: UInt8 = 1

  public static func encode(_ failure: Failure) -> [UInt8] {
    var writer = ByteWriter()
    writer.integer(version)
    writer.failure(failure)
    return writer.bytes
  }

  /// Takes exactly one record.
  public static func decode(_ bytes: [UInt8]) throws(FrameError) -> Failure {
    var reader = ByteReader(bytes[...])
    let version = try reader.integer("record version", as: UInt8.self)
    guard version == Self.version else { throw .otherVersion(major: version) }
    let failure = try reader.failure()
    guard reader.isAtEnd else { throw .malformed("bytes after the record") }
    return failure
  }
}
