internal import HTTPMessages
internal import Pipeline
internal import Posix

/// Collects the header block of the final response, line by line.
struct HeaderBlock {
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
  ///
  /// - Returns: Whether the final response's headers are all there with it.
  mutating func add(_ line: Span<UInt8>) -> Bool {
    guard !isComplete else { return false }
    let text = line.extracting(0..<line.countWithoutLineEnd)
    if text.isEmpty { return endBlock() }
    if expectsStatusLine {
      startBlock(text)
    } else if text[0] == UInt8(ascii: " ") || text[0] == UInt8(ascii: "\t") {
      continueValue(text)
    } else {
      addField(text)
    }
    return false
  }

  /// What the body is wrapped in, in the sequence in which it was done; chunks not counted.
  var codings: [ContentCoding] { contentCodings.known + transferCodings.known }

  /// Codings that this program cannot decode.
  var unknownCodings: Int { contentCodings.unknown + transferCodings.unknown }

  /// Nothing that says that it is text is compressed.
  var claimsText: Bool {
    guard let mediaType else { return false }
    return mediaType.hasPrefix("text/") || ["html", "xml", "json"].contains { mediaType.contains($0) }
  }

  var mediaType: String? { fields.first { $0.isNamed("content-type") }?.value.mediaType }

  private mutating func startBlock(_ line: Span<UInt8>) {
    self = HeaderBlock()
    fields.reserveCapacity(16)
    expectsStatusLine = false
    let space = line.firstIndex(of: UInt8(ascii: " "), from: 0)
    guard space < line.count else { return }
    status = Int(line.extracting((space + 1)..<line.count).leadingNumber ?? 0)
  }

  private mutating func endBlock() -> Bool {
    if expectsStatusLine { return false }
    expectsStatusLine = true
    if (100..<200).contains(status) && status != 101 { return false }
    if isChunked { contentLength = nil }
    isComplete = true
    return true
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

/// Header bytes as they come off the wire.
extension Span<UInt8> {
  var countWithoutLineEnd: Int {
    var end = count
    while end > 0, self[end - 1] == 13 || self[end - 1] == 10 { end -= 1 }
    return end
  }

  /// What is left from `start` on without the spaces and tabs around it.
  func trimmedRange(from first: Int = 0) -> Range<Int> {
    var start = first
    var end = count
    while start < end, self[start] == 32 || self[start] == 9 { start += 1 }
    while start < end, self[end - 1] == 32 || self[end - 1] == 9 { end -= 1 }
    return start..<end
  }

  var isToken: Bool {
    for index in indices where !self[index].isTokenByte { return false }
    return true
  }

  /// The number that the digits at the start make; nil without digits, or beyond 64 bits.
  var leadingNumber: Int64? {
    var number: Int64 = 0
    var index = 0
    while index < count, (48...57).contains(self[index]) {
      let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
      let (sum, sumOverflow) = tens.addingReportingOverflow(Int64(self[index] - 48))
      if overflow || sumOverflow { return nil }
      number = sum
      index += 1
    }
    return index == 0 ? nil : number
  }

  /// Compares without case with a name in lower case.
  func isNamed(_ name: StaticString) -> Bool {
    guard count == name.utf8CodeUnitCount else { return false }
    var index = 0
    for byte in name.description.utf8 {
      let own = self[index]
      let lower = (65...90).contains(own) ? own | 0x20 : own
      if lower != byte { return false }
      index += 1
    }
    return true
  }

  /// Whether the value of a header of this name is a URL to go to.
  var namesLink: Bool {
    isNamed("location") || isNamed("refresh")
  }

  /// nil when the bytes are not UTF-8.
  var utf8Text: String? {
    guard let valid = try? UTF8Span(validating: self) else { return nil }
    return String(copying: valid)
  }

  /// Bytes that are not UTF-8: percent-encoded in links, where their values count, and read as Latin-1 elsewhere.
  func otherText(isLink: Bool) -> String {
    var text = String.UnicodeScalarView()
    for index in indices {
      let byte = self[index]
      if isLink, byte >= 0x80 {
        text.append(contentsOf: "%\(String(byte, radix: 16, uppercase: true))".unicodeScalars)
      } else {
        text.append(Unicode.Scalar(byte))
      }
    }
    return String(text)
  }
}
