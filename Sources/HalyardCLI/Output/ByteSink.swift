import Compression
import Pipeline
internal import Posix

/// Takes the bytes of rows; blocks until they are written.
protocol ByteSink {
  func write(_ bytes: [UInt8]) throws(OutputError)
  /// All rows are written that there will be.
  func finish() throws(OutputError)
  /// All that was written, up to this row of a batch, need not be written again.
  func remember(_ row: NumberedRow) throws(OutputError)
  /// The rows are not all there, and what was there before stays.
  ///
  /// - Parameter keepingRows: The file has the only copy of the rows that were written.
  /// - Returns: Where they are kept.
  func breakOff(keepingRows: Bool) -> String?
}

extension ByteSink {
  func finish() throws(OutputError) {}
  func remember(_ row: NumberedRow) throws(OutputError) {}
  func breakOff(keepingRows: Bool) -> String? { nil }
}

/// Standard output, or what is no regular file.
struct DescriptorSink: ByteSink {
  private let name: String
  private let file: Descriptor
  /// What is made harmless on its way to a terminal; nil for what goes elsewhere.
  private let screen: ScreenContent?

  init(_ content: ScreenContent = .text) {
    name = "standard output"
    file = .standardOutput
    screen = file.isTerminal ? content : nil
  }

  /// Creates the file, or empties it.
  init(path: String, _ content: ScreenContent) throws(OutputError) {
    do throws(DistrustedPath) {
      file = try FilePlace(path).writing()
      name = path
      screen = file.isTerminal ? content : nil
    } catch {
      throw .failed(path, error.words)
    }
  }

  func write(_ bytes: [UInt8]) throws(OutputError) {
    let bytes = screen?.harmless(bytes) ?? bytes
    do {
      try file.writeAll(bytes)
    } catch {
      throw error.isBrokenPipe ? .brokenPipe : .failed(name, error.message)
    }
  }
}

extension ParsedArguments {
  /// Prints on standard output what a command has to say, as JSON or as text.
  ///
  /// - Returns: How a command ends that has no more to do.
  @discardableResult
  func show(
    json: @autoclosure () throws -> [UInt8], text: @autoclosure () throws -> String,
    as content: ScreenContent = .text
  ) throws -> ExitCode {
    let isJSON = self[FleetOption.json]
    try DescriptorSink(isJSON ? .json : content).write(isJSON ? json() : Array(text().utf8))
    return .ok
  }

  /// The same with lines that may hold foreign text.
  @discardableResult
  func show(
    json: @autoclosure () throws -> [UInt8], lines: @autoclosure () throws -> [String]
  ) throws -> ExitCode {
    try show(json: json(), text: lines().map { Printable.text($0) + "\n" }.joined(), as: .drawn)
  }
}

extension Program {
  /// Prints on standard output all that a command has to say.
  static func show(_ text: String) throws(OutputError) -> ExitCode {
    try DescriptorSink().write(Array(text.utf8))
    return .ok
  }
}

/// A file that is replaced as a whole, and that can remember how far a batch was read into it: when the reader is killed,
/// the next one goes on there.
struct ReplacingSink: ByteSink {
  /// Of a line with the longest numbers.
  private static let noteSize = 160

  private let name: String
  private let part: PartFile
  /// What is read, and how it is written: what was written in another way cannot be gone on with. nil for what no reader
  /// goes on with.
  private let reading: String?

  /// - Parameter path: nil for standard output.
  /// - Returns: The way to what is at a path, which is replaced where that can be.
  static func opened(_ path: String?, _ content: ScreenContent) throws(OutputError) -> any ByteSink {
    guard let path else { return DescriptorSink(content) }
    if let sink = try ReplacingSink(path) { return sink }
    return try DescriptorSink(path: path, content)
  }

  /// Rows of a batch, behind those that a reader wrote who was killed.
  ///
  /// - Parameter wish: How rows are chosen and written.
  init?(_ path: String, reading batch: BatchID, wish: String) throws(OutputError) {
    try self.init(path, reading: "halyard.place/1 \(batch) \(CRC32C.of(Array(wish.utf8).span))")
  }

  init?(_ path: String) throws(OutputError) { try self.init(path, reading: nil) }

  /// nil where what is at the path can only be written itself.
  private init?(_ path: String, reading: String?) throws(OutputError) {
    (name, self.reading) = (path, reading)
    do throws(PartFile.Refusal) {
      part = try PartFile(beside: path, goingOn: reading != nil)
    } catch {
      switch error {
      case .held: throw .failed(PartFile.path(beside: path), "another command writes its rows there")
      case .distrusted(let error): throw .failed(path, error.message)
      case .notReplaceable: return nil
      }
    }
  }

  /// Where the bytes are meanwhile.
  var partPath: String { part.path }
  /// Whether nothing was written there.
  var isEmpty: Bool { part.isEmpty }

  func write(_ bytes: [UInt8]) throws(OutputError) {
    try attempt { () throws(PosixError) in try part.writeAll(bytes) }
  }

  func finish() throws(OutputError) {
    do {
      try part.takePlace()
    } catch {
      throw .failed(name, "\(error.message); the rows are in \(part.path)")
    }
  }

  func breakOff(keepingRows: Bool) -> String? {
    if keepingRows || !part.noted.isEmpty, !part.isEmpty { return part.path }
    part.remove()
    return nil
  }

  /// How far a reader before came that was killed; nil when nothing was noted, or not of this reading, or not as a whole.
  var place: ReadingPlace? {
    let words = String(decoding: part.noted, as: UTF8.self).split { $0 == " " || $0 == "\n" }
    guard words.count == 6, words.prefix(3).joined(separator: " ") == reading, let number = UInt64(words[3]),
      let checksum = UInt32(words[4]), let bytes = Int(words[5]), number > 0, (0...part.size).contains(bytes)
    else { return nil }
    return ReadingPlace(number: number, checksum: checksum, bytes: bytes)
  }

  /// Keeps the rows up to a place, or none.
  func goOn(from place: ReadingPlace?) throws(OutputError) {
    try attempt { () throws(PosixError) in
      if let place { try part.goOn(from: place.bytes) } else { try part.restart() }
    }
  }

  func remember(_ row: NumberedRow) throws(OutputError) {
    guard let reading else { return }
    let text = "\(reading) \(row.number) \(CRC32C.of(row.json.span)) \(part.size)"
    let space = String(repeating: " ", count: max(0, Self.noteSize - 1 - text.utf8.count))
    try attempt { () throws(PosixError) in try part.note(Array("\(text)\(space)\n".utf8)) }
  }

  private func attempt(_ step: () throws(PosixError) -> Void) throws(OutputError) {
    do { try step() } catch { throw .failed(name, error.message) }
  }
}

/// The last row of a batch that a file has.
struct ReadingPlace: Hashable, Sendable {
  var number: UInt64
  /// Of the row's bytes: a batch that was submitted anew under the same name has other rows.
  var checksum: UInt32
  /// Bytes of the file up to the end of the row.
  var bytes: Int

  func isOf(_ row: NumberedRow) -> Bool { row.number == number && CRC32C.of(row.json.span) == checksum }
}
