/// Jobs as bytes for whoever stores them: a version, then the record that also travels in frames.
public enum JobRecord {
  private static let version: UInt8 = 1
  /// With what came later behind it; only of jobs that have some of that, so that older programs can read the others.
  private static let longVersion: UInt8 = 2
  private static let embedBit: UInt8 = 1

  public static func encode(_ job: Job) -> [UInt8] {
    var writer = ByteWriter()
    writer.integer(job.wantsEmbed ? longVersion : version)
    writer.job(job)
    if job.wantsEmbed { writer.integer(embedBit) }
    return writer.bytes
  }

  /// Takes exactly one record.
  public static func decode(_ bytes: [UInt8]) throws(FrameError) -> Job {
    var reader = ByteReader(bytes[...])
    let version = try reader.integer("record version", as: UInt8.self)
    guard version == Self.version || version == longVersion else { throw .otherVersion(major: version) }
    var job = try reader.job()
    if version == longVersion {
      job.wantsEmbed = try reader.integer("wishes", as: UInt8.self) & embedBit != 0
    }
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
