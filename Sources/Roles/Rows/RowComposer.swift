package import JSONQuery
package import Pipeline

/// Joins a job's row, in one go: what the user asked, what came of it, and the user's own columns.
enum RowComposer {
  static let schema = "halyard.result/1"
  /// What a row takes beside what was found and what the user wrote.
  static let typicalBytes = 512

  /// One JSON object, UTF-8, one line.
  static func row(of job: Job, _ answer: RowOutcome) -> [UInt8] {
    var row = JSONWriter(reservingCapacity: answer.bytes + job.textBytes + typicalBytes)
    row.beginObject()
    row.member("schema", schema)
    row.key("id")
    row.string { job.id.uuid.write(to: &$0) }
    row.member("ref", job.ref)
    row.key("batch")
    row.string { job.batch.uuid.write(to: &$0) }
    row.member("ordinal", job.ordinal)
    row.member("kind", job.kind.name)
    row.member("input", job.input)
    answer.write(to: &row)
    write(job.kept, to: &row)
    job.origin?.write(to: &row)
    row.endObject()
    return row.bytes
  }

  /// Whether a message surely holds the row of a job; it need not be written to know.
  static func fits(_ answer: RowOutcome, for job: Job) -> Bool {
    answer.bytes <= EnvelopeCodec.longestRow - longestEscape * (job.textBytes + job.kept.count) - framing
  }

  /// What a byte of text takes in JSON at most, and what stands around a kept column.
  private static let longestEscape = 6
  /// Names, numbers and marks of a row, and its failure.
  private static let framing = 32 << 10

  private static func write(_ kept: [KeptColumn], to row: inout JSONWriter) {
    guard !kept.isEmpty else { return }
    row.beginObject("kept")
    for column in kept { row.member(column.name, column.value) }
    row.endObject()
  }
}

extension LinkOrigin {
  /// As a member of a row, or of a job.
  package func write(to object: inout JSONWriter) {
    object.beginObject("origin")
    object.member("file", file)
    object.member("line", line)
    object.member("column", column)
    object.member("text", text)
    object.endObject()
  }
}

/// What is said of jobs whose page is read, and whose oEmbed endpoint is not.
extension OEmbedContinuation {
  /// JSON members of the row, with why there is nothing of the endpoint.
  func members(without failure: Failure) -> [UInt8] {
    var row = JSONWriter(reservingCapacity: bytes + Failure.longestMessage)
    row.members(members)
    row.card(card, without: failure)
    return row.bytes
  }
}

extension JSONWriter {
  /// Writes a card of these members.
  ///
  /// - Parameter failure: Why there is nothing in it of the page's oEmbed endpoint; nil when none was to be asked.
  mutating func card(_ members: [UInt8], without failure: Failure?) {
    beginObject("card")
    self.members(members)
    if let failure {
      beginObject("embed_error")
      member("kind", failure.kind.rawValue)
      member("message", failure.message)
      endObject()
    }
    endObject()
  }
}
