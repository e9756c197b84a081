/// Jobs as bytes for ledgers: a version, then the record that also travels in frames.
///
/// Version 2 stands beside the job's id, and leaves out what follows from it: of id, batch and ordinal, 40 bytes, it has
/// the five of the batch that are not in the id.
public enum JobRecord {
  private static let version: UInt8 = 1
  private static let versionBesideID: UInt8 = 2

  public static func encode(_ job: Job) -> [UInt8] {
    var writer = ByteWriter()
    writer.integer(version)
    writer.job(job)
    return writer.bytes
  }

  /// As short as it can be where the job's id is kept too.
  public static func encodeBesideID(_ job: Job) -> [UInt8] {
    guard job.id == JobID(batch: job.batch, ordinal: job.ordinal),
      job.batch == BatchID(of: job.id, rest: job.batch.uuid.low & BatchID.ordinalBits),
      job.ordinal == job.id.ordinalBits
    else { return encode(job) }
    var writer = ByteWriter()
    writer.integer(versionBesideID)
    writer.integer(UInt8(truncatingIfNeeded: job.batch.uuid.low >> 32))
    writer.integer(UInt32(truncatingIfNeeded: job.batch.uuid.low))
    writer.jobBody(job)
    return writer.bytes
  }

  /// Takes exactly one record of any version that a ledger can have.
  public static func decode(_ bytes: [UInt8], of id: JobID) throws(FrameError) -> Job {
    guard bytes.first == versionBesideID else { return try decode(bytes) }
    var reader = ByteReader(bytes[1...])
    let high = UInt64(try reader.integer("batch", as: UInt8.self))
    let rest = high << 32 | UInt64(try reader.integer("batch", as: UInt32.self))
    let job = try reader.jobBody(id, BatchID(of: id, rest: rest), id.ordinalBits)
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
    // Behind the version, and in the longer form id, batch and ordinal, in the shorter one what an id does not tell.
    let place = bytes.first == versionBesideID ? 1 + 1 + 4 : 1 + 16 + 16 + 8
    guard let first = bytes.first, [version, versionBesideID].contains(first), place < bytes.count else {
      return nil
    }
    return JobKind(rawValue: bytes[place])
  }

  /// Takes exactly one record.
  public static func decode(_ bytes: [UInt8]) throws(FrameError) -> Job {
    var reader = ByteReader(bytes[...])
    let version = try reader.integer("record version", as: UInt8.self)
    guard version == Self.version else { throw .otherVersion(major: version) }
    let job = try reader.job()
    guard reader.isAtEnd else { throw .malformed("bytes after the record") }
    return job
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
