import Compression
import Pipeline
internal import Posix

/// The last row of a batch that a file has.
struct ReadingPlace: Hashable, Sendable {
  var number: UInt64
  /// Of the row's bytes: a batch that was submitted anew under the same name has other rows.
  var checksum: UInt32
  /// Bytes of the file up to the end of the row.
  var bytes: Int

  func isOf(_ row: NumberedRow) -> Bool { row.number == number && CRC32C.of(row.json.span) == checksum }
}

/// A file that is replaced as a whole, and that remembers how far a batch was read into it: when the reader is killed, the
/// next one goes on there.
struct RememberingSink: ByteSink {
  /// Of a line with the longest numbers.
  private static let noteSize = 160

  private let base: ReplacingSink
  /// What is read, and how it is written: what was written in another way cannot be gone on with.
  private let reading: String
  /// How far a reader before came that was killed.
  let place: ReadingPlace?

  /// - Parameter wish: How rows are chosen and written.
  init(_ base: ReplacingSink, batch: BatchID, wish: String) {
    self.base = base
    reading = "halyard.place/1 \(batch) \(CRC32C.of(Array(wish.utf8).span))"
    place = Self.place(base.part, reading)
  }

  /// nil when nothing was noted, or not of this reading, or not as a whole.
  private static func place(_ part: PartFile, _ reading: String) -> ReadingPlace? {
    let words = String(decoding: part.noted, as: UTF8.self).split { $0 == " " || $0 == "\n" }
    guard words.count == 6, words.prefix(3).joined(separator: " ") == reading,
      let number = UInt64(words[2 + 1]),
      let checksum = UInt32(words[4]), let bytes = Int(words[5]), number > 0, (0...part.size).contains(bytes)
    else { return nil }
    return ReadingPlace(number: number, checksum: checksum, bytes: bytes)
  }

  /// Where the rows are meanwhile.
  var path: String { base.part.path }

  /// Keeps the rows up to a place, or none.
  func goOn(from place: ReadingPlace?) throws(OutputError) {
    try attempt { part throws(PosixError) in
      if let place { try part.goOn(from: place.bytes) } else { try part.restart() }
    }
  }

  func write(_ bytes: [UInt8]) throws(OutputError) { try base.write(bytes) }

  func finish() throws(OutputError) { try base.finish() }

  func remember(_ row: NumberedRow) throws(OutputError) {
    let text = "\(reading) \(row.number) \(CRC32C.of(row.json.span)) \(base.part.size)"
    let space = String(repeating: " ", count: max(0, Self.noteSize - 1 - text.utf8.count))
    try attempt { part throws(PosixError) in try part.note(Array("\(text)\(space)\n".utf8)) }
  }

  func breakOff(keepingRows: Bool) -> String? {
    base.breakOff(keepingRows: keepingRows || !base.part.noted.isEmpty)
  }

  private func attempt(_ body: (PartFile) throws(PosixError) -> Void) throws(OutputError) {
    do { try body(base.part) } catch { throw .failed(base.name, error.message) }
  }
}
