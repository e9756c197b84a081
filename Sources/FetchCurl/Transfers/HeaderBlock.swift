internal import HTTPMessages
internal import Pipeline
internal import Posix

/// Collects the header block of the final response, line by line.
struct HeaderBlock {
  enum Step {
    case more
    /// The final response's headers are all there.
    case complete
  }

  private(set) var status = 0
  private(set) var fields: [HeaderField] = []
  /// The body's length on the wire, where the peer tells it.
  private(set) var contentLength: Int64?
  private var contentCodings = CodingList()
  private var transferCodings = CodingList()
  private(set) var isComplete = false
  private var isChunked = false
  private var expectsStatusLine = true

  /// Takes one line with its line end.
  ///
  /// Lines after the end of the block are trailers, and dropped.
  mutating func add(_ line: Span<UInt8>) -> Step {
    guard !isComplete else { return .more }
    let text = line.extracting(0..<line.countWithoutLineEnd)
    if text.isEmpty { return endBlock() }
    if expectsStatusLine {
      startBlock(text)
    } else if text[0] == UInt8(ascii: " ") || text[0] == UInt8(ascii: "\t") {
      continueValue(text)
    } else {
      addField(text)
    }
    return .more
  }

  /// What the body is wrapped in, in the sequence in which it was done; chunks not counted.
  var codings: [ContentCoding] { contentCodings.known + transferCodings.known }

  /// Codings that this program cannot decode.
  var unknownCodings: Int { contentCodings.unknown + transferCodings.unknown }

  /// What says that it is something else is believed.
  var mayBePage: Bool {
    guard let mediaType else { return true }
    return ["text/html", "application/xhtml+xml"].contains(mediaType)
  }

  /// Nothing that says that it is text is compressed.
  var claimsText: Bool {
    guard let mediaType else { return false }
    return mediaType.hasPrefix("text/") || ["html", "xml", "json"].contains { mediaType.contains($0) }
  }

  private var mediaType: String? { fields.first { $0.isNamed("content-type") }?.value.mediaType }

  private mutating func startBlock(_ line: Span<UInt8>) {
    self = HeaderBlock()
    fields.reserveCapacity(16)
    expectsStatusLine = false
    let space = line.firstIndex(of: UInt8(ascii: " "), from: 0)
    guard space < line.count else { return }
    status = Int(line.extracting((space + 1)..<line.count).leadingNumber ?? 0)
  }

  private mutating func endBlock() -> Step {
    if expectsStatusLine { return .more }
    expectsStatusLine = true
    if (100..<200).contains(status) && status != 101 { return .more }
    if isChunked { contentLength = nil }
    isComplete = true
    return .complete
  }

  private mutating func addField(_ line: Span<UInt8>) {
    let colon = line.firstIndex(of: UInt8(ascii: ":"), from: 0)
    guard colon > 0, colon < line.count else { return }
    let name = line.extracting(0..<colon)
    guard name.isToken, let nameText = name.utf8Text else { return }
    let value = line.extracting(line.trimmedRange(from: colon + 1))
    noteFraming(name, value)
    let field = HeaderField(nameText, value.utf8Text ?? value.otherText(isLink: name.namesLink))
    fields.append(field)
  }

  /// An old way to write long values: the next line begins with a space.
  private mutating func continueValue(_ line: Span<UInt8>) {
    guard let last = fields.indices.last else { return }
    let value = line.extracting(line.trimmedRange())
    fields[last].value += " " + (value.utf8Text ?? value.otherText(isLink: false))
  }

  private mutating func noteFraming(_ name: Span<UInt8>, _ value: Span<UInt8>) {
    if name.isNamed("content-length") {
      contentLength = value.leadingNumber
    } else if name.isNamed("transfer-encoding") {
      isChunked = true
      transferCodings.add(value)
    } else if name.isNamed("content-encoding") {
      contentCodings.add(value)
    }
  }
}
