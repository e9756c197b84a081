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

/// Whether what a worker found can go into a row as it is: members of one JSON object, in UTF-8, on one line, and none of
/// those that the aggregator writes itself. A worker may be taken over, so nothing of that is taken for granted.
enum MembersCheck {
  /// The names that stand in rows beside what was found.
  private static let reserved: [[UInt8]] = [
    "schema", "id", "ref", "batch", "ordinal", "kind", "input", "status", "error", "attempts", "ms", "kept",
    "origin", "cached", "age", "revalidated",
  ].map { Array($0.utf8) }

  static func areSound(_ members: [UInt8]) -> Bool {
    members.isEmpty || areMinifiedMembers(members, where: isFree)
  }

  /// A name may be written in many ways, and none of ours needs more than one.
  private static func isFree(_ name: ArraySlice<UInt8>) -> Bool {
    !name.contains(UInt8(ascii: "\\"))
      && !reserved.contains { $0.count == name.count && $0.elementsEqual(name) }
  }
}

// Members of an object as bytes, without braces: so more can be written behind them.

extension JSONWriter {
  /// Writes members that are JSON already, without braces.
  mutating func members(_ members: [UInt8]) {
    if !members.isEmpty { raw(members) }
  }
}

extension JSONDocument {
  /// Reads members that stand without braces.
  init(members: [UInt8]) throws(JSONError) {
    try self.init(parsing: [UInt8(ascii: "{")] + members + [UInt8(ascii: "}")], limits: .around)
  }
}

extension JobResult {
  /// Bytes of the row of its job; nil when they are so few that any message holds them.
  func longRow(of job: Job) -> Int? {
    guard !RowComposer.fits(answer, for: job) else { return nil }
    var rest = self
    rest.members = []
    let bytes = members.count + (members.isEmpty ? 0 : 1) + RowComposer.row(of: job, rest.answer).count
    return bytes > EnvelopeCodec.longestRow ? bytes : nil
  }

  /// Itself, or in the place of a result that no message holds, or whose row none would, a small one that says so. It is
  /// kept until it is acknowledged, so one that cannot be sent would be repeated for ever.
  func fitting(_ job: Job) -> JobResult {
    let longRow = longRow(of: job)
    // All that it has besides goes with a row that fits.
    if longRow == nil, continuation == nil, caching == nil { return self }
    guard longRow != nil || !EnvelopeCodec.fits(.result(self)) else { return self }
    var small = self
    (small.continuation, small.caching, small.sideFailure, small.standsAnyway) = (nil, nil, nil, false)
    let tooLong = tooLong(of: job, longRow ?? members.count)
    small.failure = standsAnyway ? tooLong : failure ?? tooLong
    small.members = []
    return small
  }

  private func tooLong(of job: Job, _ bytes: Int) -> Failure {
    let link = Self.printable(job.input)
    guard let continuation else { return .longRow(of: link, bytes) }
    return Failure(
      .bodyTooLarge, at: .redirect,
      "read \(link): what it takes to go on to \(Self.printable(continuation.url)) is more than a message holds; give the link that it leads to"
    )
  }

  private static func printable(_ link: String?) -> String { (link ?? "").shortened(toBytes: 512) }
}

extension Failure {
  static func longRow(of url: String, _ bytes: Int) -> Failure {
    Failure(
      .bodyTooLarge, at: .json,
      "read \(url): its row takes \(bytes) bytes, and a message holds \(EnvelopeCodec.longestRow); choose a part of it with --select"
    )
  }
}
