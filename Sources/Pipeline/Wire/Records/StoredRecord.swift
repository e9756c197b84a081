/// Jobs as bytes for ledgers: a version, then the record that also travels in frames.
public enum JobRecord {
  private static let version: UInt8 = 1

  public static func encode(_ job: Job) -> [UInt8] {
    var writer = ByteWriter()
    writer.integer(version)
    writer.job(job)
    return writer.bytes
  }

  /// What the record of a job takes in a frame.
  public static func bytes(of job: Job) -> Int {
    var writer = ByteWriter(.count)
    writer.job(job)
    return writer.count
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
