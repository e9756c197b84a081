import JSONQuery
import Pipeline

/// Writes a job's row: what the user asked, what was found, how it ended.
enum RowComposer {
  static let schema = "halyard.result/1"

  /// - Parameters:
  ///   - failure: nil when the job is done.
  ///   - findings: JSON members that the steps found, without braces.
  ///   - milliseconds: Time spent on the last attempt.
  static func row(
    of job: Job, failure: Failure?, findings: [UInt8] = [], attempts: UInt16, milliseconds: Int64
  ) -> [UInt8] {
    var row = JSONWriter(reservingCapacity: findings.count + 384)
    row.beginObject()
    writeQuestion(job, to: &row)
    row.member("status", failure.map { $0.kind == .cancelled ? "cancelled" : "failed" } ?? "ok")
    if !findings.isEmpty { row.raw(findings) }
    if let failure { write(failure, to: &row) }
    row.key("attempts")
    row.int(attempts)
    row.key("ms")
    row.int(max(0, milliseconds))
    write(job.shown.kept, to: &row)
    row.endObject()
    return row.bytes
  }

  /// The row of a job that asked the same as another: that one's findings under its own question.
  /// nil when the row was written by a program that writes it otherwise, or the copy would be too long for a message.
  static func copy(_ row: [UInt8], of job: Job, for other: Job) -> [UInt8]? {
    let (head, tail) = (question(of: job), ending(of: job))
    guard fits(row.count, for: other), row.starts(with: head), row.count >= head.count + tail.count,
      row.suffix(tail.count) == tail[...]
    else { return nil }
    return question(of: other) + row[head.count..<(row.count - tail.count)] + ending(of: other)
  }

  /// The row with another failure in the place of its own; nil when it does not hold that.
  static func replace(_ failure: Failure, by other: Failure, in row: [UInt8]) -> [UInt8]? {
    let (old, new) = (error(failure), error(other))
    guard let place = row.lastRange(of: old) else { return nil }
    return row[..<place.lowerBound] + new + row[place.upperBound...]
  }

  /// The member as it stands in a row, up to the one that comes next.
  private static func error(_ failure: Failure) -> [UInt8] {
    var row = JSONWriter()
    row.beginObject()
    let before = row.bytes.count
    write(failure, to: &row)
    row.key("attempts")
    return Array(row.bytes[before...])
  }

  /// Whether a message holds the row of a job that tells so many bytes beside what the job itself says.
  static func fits(_ bytes: Int, for job: Job) -> Bool {
    bytes <= EnvelopeCodec.longestRow - longestEscape * job.textBytes - framing
  }

  /// What a byte of text takes in JSON at most.
  private static let longestEscape = 6
  /// Names, numbers and marks of a row, and its failure.
  private static let framing = 32 << 10

  static func question(of job: Job) -> [UInt8] {
    var row = JSONWriter()
    row.beginObject()
    writeQuestion(job, to: &row)
    return row.bytes
  }

  static func ending(of job: Job) -> [UInt8] {
    var row = JSONWriter()
    row.beginObject()
    row.bool(true)
    let before = row.bytes.count
    write(job.shown.kept, to: &row)
    row.endObject()
    return Array(row.bytes[before...])
  }

  private static func writeQuestion(_ job: Job, to row: inout JSONWriter) {
    let job = job.shown
    row.member("schema", schema)
    row.member("id", job.id.description)
    row.member("ref", job.ref)
    row.member("batch", job.batch.description)
    row.key("ordinal")
    row.int(job.ordinal)
    row.member("kind", job.kind.name)
    row.member("input", job.input)
  }

  private static func write(_ failure: Failure, to row: inout JSONWriter) {
    row.key("error")
    row.beginObject()
    row.member("kind", failure.kind.rawValue)
    row.member("stage", failure.stage.rawValue)
    row.member("message", failure.message)
    row.key("retryable")
    row.bool(failure.retryable)
    row.member("given_up", failure.givenUpHost)
    if let cause = failure.because {
      row.key("because")
      row.beginObject()
      row.member("job", cause.job.description)
      row.member("kind", cause.kind.rawValue)
      row.endObject()
    }
    row.endObject()
  }

  private static func write(_ kept: [KeptColumn], to row: inout JSONWriter) {
    guard !kept.isEmpty else { return }
    row.key("kept")
    row.beginObject()
    for column in kept { row.member(column.name, column.value) }
    row.endObject()
  }
}

extension JSONWriter {
  /// Writes a member of text; nothing when there is none.
  mutating func member(_ name: String, _ text: String?) {
    guard let text else { return }
    key(name)
    string(text)
  }
}

extension [UInt8] {
  fileprivate func lastRange(of part: [UInt8]) -> Range<Int>? {
    guard count >= part.count else { return nil }
    return (0...(count - part.count)).last { self[$0..<($0 + part.count)].elementsEqual(part) }
      .map { $0..<($0 + part.count) }
  }
}
