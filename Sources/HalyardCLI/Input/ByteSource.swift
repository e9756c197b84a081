internal import Compression
internal import Posix

/// Bytes in pieces of any size, pulled by a thread that may block.
package protocol ByteSource: AnyObject {
  /// The next piece, which may be empty; nil at the end, and again after it.
  func nextChunk() throws(InputError) -> [UInt8]?
}

/// A source whose first bytes can be looked at before they are read.
final class PeekingSource: ByteSource {
  private let source: any ByteSource
  private var held: [UInt8] = []

  init(_ source: any ByteSource) {
    self.source = source
  }

  func nextChunk() throws(InputError) -> [UInt8]? {
    held.isEmpty ? try source.nextChunk() : exchange(&held, with: [])
  }

  /// Whether the source starts with `magic`; reads no further than it takes to tell.
  func begins(with magic: [UInt8]) throws(InputError) -> Bool {
    while held.count < magic.count, magic.starts(with: held) {
      guard try holdMore() else { break }
    }
    return held.starts(with: magic)
  }

  /// Drops bytes that `begins(with:)` has seen.
  func drop(_ count: Int) {
    held.removeFirst(min(count, held.count))
  }

  /// The first byte that is no white space; nil when there is none within `limit` bytes.
  func firstByteAfterBlanks(limit: Int) throws(InputError) -> UInt8? {
    try firstIndex(limit: limit) { !isBlank($0) }.map { held[$0] }
  }

  /// The first bytes, `count` of them unless there are fewer.
  func first(_ count: Int) throws(InputError) -> ArraySlice<UInt8> {
    while held.count < count {
      guard try holdMore() else { break }
    }
    return held.prefix(count)
  }

  /// The first line without its end, or as much of it as stands within `limit` bytes.
  func firstLine(limit: Int) throws(InputError) -> ArraySlice<UInt8> {
    let end = try firstIndex(limit: limit, where: isLineEnd)
    return held.prefix(end ?? limit)
  }

  private func firstIndex(limit: Int, where isWanted: (UInt8) -> Bool) throws(InputError) -> Int? {
    var start = 0
    while start < limit {
      if let found = held[start...].prefix(limit - start).firstIndex(where: isWanted) { return found }
      start = held.count
      guard try holdMore() else { break }
    }
    return nil
  }

  private func holdMore() throws(InputError) -> Bool {
    guard let chunk = try source.nextChunk() else { return false }
    held += chunk
    return true
  }
}

func isLineEnd(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
}

/// ASCII white space, which is trimmed around links.
func isBlank(_ byte: UInt8) -> Bool {
  byte == 0x20 || (0x09...0x0D).contains(byte)
}

func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }

func isLetterOrDigit(_ byte: UInt8) -> Bool {
  isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}

/// The bytes of a file or of standard input, 64 KiB at a time.
final class DescriptorSource: ByteSource {
  private let name: String
  private let file: Descriptor
  /// nil when it is unknown.
  let size: Int?
  private(set) var bytesRead = 0

  /// - Parameter path: nil for standard input.
  init(path: String?) throws(InputError) {
    name = path ?? InputPlan.standardInputName
    do {
      file = try path.map { (path) throws(PosixError) in try .reading(path: path) } ?? .standardInput
    } catch {
      throw InputError(name, error.message)
    }
    size = file.size
  }

  /// Whether it is the regular file that rows are written to.
  func isSameFile(as target: OutputPlan.Target) -> Bool { target.paths.contains(where: file.isFile) }

  func nextChunk() throws(InputError) -> [UInt8]? {
    do {
      let chunk = try file.readChunk()
      bytesRead += chunk.count
      return chunk.isEmpty ? nil : chunk
    } catch {
      throw InputError(name, error.message)
    }
  }
}

/// Inflates a gzip file (RFC 1952) of one or more members; zero bytes after a member are padding.
final class GzipSource: ByteSource {
  static let magic: [UInt8] = [0x1F, 0x8B]
  private static let chunkSize = 65_536

  private let source: any ByteSource
  private let name: String
  private var decoder: GzipDecoder
  private var input: [UInt8] = []
  private var position = 0
  private var insideMember = true
  /// A fault that was met behind bytes which are still good.
  private var failure: InputError?

  init(_ source: any ByteSource, name: String) throws(InputError) {
    self.source = source
    self.name = name
    do {
      decoder = try GzipDecoder()
    } catch {
      throw InputError(name, Self.words(for: error))
    }
  }

  func nextChunk() throws(InputError) -> [UInt8]? {
    if let failure { throw failure }
    var output: [UInt8] = []
    while output.isEmpty {
      guard position < input.count else {
        guard let more = try source.nextChunk() else {
          guard !insideMember else { throw InputError(name, "the gzip data ends too early") }
          return nil
        }
        input = more
        position = 0
        continue
      }
      if insideMember {
        inflate(into: &output)
        if let failure, output.isEmpty { throw failure }
      } else if input[position] == 0 {
        position += 1
      } else {
        insideMember = true
      }
    }
    return output
  }

  private func inflate(into output: inout [UInt8]) {
    do {
      let input = input
      let rest = input.span.extracting(position..<input.count)
      let progress = try decoder.decode(rest, into: &output, limit: Self.chunkSize)
      position += progress.consumed
      insideMember = !progress.finished
    } catch {
      failure = InputError(name, Self.words(for: error))
    }
  }

  private static func words(for error: CompressionError) -> String {
    switch error {
    case .outOfMemory, .windowTooLarge: "no memory to inflate gzip data"
    case .corrupt(let reason): "the gzip data is corrupt: \(reason)"
    }
  }
}

extension InputPlan {
  /// How far to look for the first line's end.
  private static let sniffLimit = 65_536
  private static let zipMagic = Array("PK\u{3}\u{4}".utf8)

  /// Opens the input without reading from it; a named pipe blocks until a writer opens it.
  func open(_ context: InputContext = InputContext()) throws(InputError) -> JobSource {
    var origins: [DescriptorSource] = []
    if arguments == nil {
      for source in sources { origins.append(try DescriptorSource(path: source.path)) }
    }
    return JobSource(self, of: origins, context)
  }

  /// The text in `bytes`, gzip or not, in any encoding.
  func text(of bytes: any ByteSource, named source: Source) throws(InputError) -> PeekingSource {
    PeekingSource(try TextSource(unpacked(bytes, source.name)))
  }

  func reader(
    of text: PeekingSource, named source: Source, _ context: InputContext
  ) throws(InputError) -> any JobReader {
    let format = try settledFormat(of: source, text)
    switch format {
    case .csv, .tsv:
      return CSVJobs(
        context, name: source.name, wish: columns,
        delimiter: try CSVDialect.found(
          in: text, said: delimiter ?? (format == .tsv ? CSVDialect.tab : nil)))
    case .jsonl: return JSONLJobs(context)
    case .xml: return XMLJobs(context, from: source)
    case .text, .html, .markdown: return DocumentJobs(context, from: source, as: format, base: base)
    case .lines, .auto: return LineJobs(context)
    }
  }

  private func unpacked(_ source: any ByteSource, _ name: String) throws(InputError) -> PeekingSource {
    let peeking = PeekingSource(source)
    if try peeking.begins(with: Self.zipMagic) {
      throw InputError(name, "is a spreadsheet's own file or a zip archive; save it as CSV, or unpack it")
    }
    guard try peeking.begins(with: GzipSource.magic) else { return peeking }
    return PeekingSource(try GzipSource(peeking, name: name))
  }

  private func settledFormat(of source: Source, _ text: PeekingSource) throws(InputError) -> InputFormat {
    let format = format(of: source)
    guard format == .auto else { return format }
    let first = try text.firstByteAfterBlanks(limit: Self.sniffLimit)
    if first == UInt8(ascii: "{") { return .jsonl }
    return CSVColumns.areNames(try text.firstLine(limit: Self.sniffLimit)) ? .csv : .lines
  }
}
