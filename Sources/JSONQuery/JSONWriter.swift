internal import Posix

/// Appends JSON to a byte buffer, with commas where they belong and escapes only where RFC 8259 demands them.
///
/// It trusts its caller to balance begin and end and to write a key before each value of an object.
public struct JSONWriter: Sendable {
  /// What was written so far; a caller that flushes it may empty it between values.
  public var bytes: [UInt8]
  private var needsComma = false

  /// Starts with an empty buffer that has room for `capacity` bytes.
  public init(reservingCapacity capacity: Int = 0) {
    bytes = []
    bytes.reserveCapacity(capacity)
  }

  /// One object, with the members that `write` adds.
  public static func object(
    reservingCapacity capacity: Int = 0, _ write: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    var writer = JSONWriter(reservingCapacity: capacity)
    writer.beginObject()
    write(&writer)
    writer.endObject()
    return writer.bytes
  }

  /// The same as a line of JSON Lines.
  public static func line(
    reservingCapacity capacity: Int = 160, _ write: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    var line = object(reservingCapacity: capacity, write)
    line.append(UInt8(ascii: "\n"))
    return line
  }

  /// Opens an object; members follow, each a `key` and a value.
  public mutating func beginObject() { open(UInt8(ascii: "{")) }
  public mutating func endObject() { close(UInt8(ascii: "}")) }
  /// Opens an array; values follow.
  public mutating func beginArray() { open(UInt8(ascii: "[")) }
  public mutating func endArray() { close(UInt8(ascii: "]")) }

  /// Writes a member's name; its value comes next.
  public mutating func key(_ name: String) {
    separate()
    appendQuoted(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes a member of text; nothing when there is none.
  public mutating func member(_ name: String, _ text: String?) {
    guard let text else { return }
    key(name)
    string(text)
  }

  public mutating func member(_ name: String, _ number: some BinaryInteger) {
    key(name)
    int(number)
  }

  /// Writes a member that is a whole number, or `null` when there is none.
  public mutating func memberOrNull(_ name: String, _ number: (some BinaryInteger)?) {
    key(name)
    if let number { int(number) } else { null() }
  }

  public mutating func member(_ name: String, _ value: Bool) {
    key(name)
    bool(value)
  }

  public mutating func beginObject(_ name: String) {
    key(name)
    beginObject()
  }

  public mutating func beginArray(_ name: String) {
    key(name)
    beginArray()
  }

  /// Writes a member that is an array of texts; nothing when there are none.
  public mutating func member(_ name: String, _ texts: [String]) {
    guard !texts.isEmpty else { return }
    beginArray(name)
    for text in texts { string(text) }
    endArray()
  }

  /// Writes a member that is an array of objects, one for each element, whose members `write` adds.
  public mutating func objects<Element>(
    _ name: String, of elements: some Sequence<Element>, _ write: (inout JSONWriter, Element) -> Void
  ) {
    beginArray(name)
    for element in elements {
      beginObject()
      write(&self, element)
      endObject()
    }
    endArray()
  }

  public mutating func string(_ text: String) {
    separate()
    appendQuoted(text)
  }

  /// Writes a string whose bytes need no escapes.
  public mutating func string(writingTo write: (inout [UInt8]) -> Void) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    write(&bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes a whole number of any size.
  public mutating func int(_ number: some BinaryInteger) {
    separate()
    guard let magnitude = UInt64(exactly: number.magnitude) else {
      return bytes.append(contentsOf: String(number).utf8)
    }
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    appendDigits(of: magnitude)
  }

  public mutating func bool(_ value: Bool) {
    separate()
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
  }

  public mutating func null() {
    separate()
    bytes.append(contentsOf: "null".utf8)
  }

  /// Writes bytes that already are one JSON value.
  public mutating func raw(_ json: some Collection<UInt8>) {
    separate()
    bytes.append(contentsOf: json)
  }

  /// Writes a value of a document as it was written there, on one line.
  public mutating func value(_ value: JSONValue) {
    separate()
    value.writeMinified(into: &bytes)
  }

  /// Ends a line of JSON Lines, so that the next value starts a document of its own.
  public mutating func endLine() {
    bytes.append(UInt8(ascii: "\n"))
    needsComma = false
  }

  private mutating func open(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  /// Every value but the first of its container stands behind a comma.
  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  /// The last digit comes first, and then they change places: no text is made of the number.
  private mutating func appendDigits(of number: UInt64) {
    var (rest, left) = (number, bytes.count)
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    var right = bytes.count - 1
    while left < right {
      bytes.swapAt(left, right)
      (left, right) = (left + 1, right - 1)
    }
  }

  private mutating func appendQuoted(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    appendEscaped(text.utf8, to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }
}

extension JSONValue {
  /// Appends the value on one line, without insignificant white space; numbers and escapes stay as written.
  public func writeMinified(into output: inout [UInt8]) {
    guard tape.isStream, index == 0 else { return writeSource(into: &output) }
    output.append(UInt8(ascii: "["))
    for (position, element) in elements.enumerated() {
      if position > 0 { output.append(UInt8(ascii: ",")) }
      element.writeSource(into: &output)
    }
    output.append(UInt8(ascii: "]"))
  }

  private func writeSource(into output: inout [UInt8]) {
    let range = node.range
    guard !tape.isMinified else {
      output.append(contentsOf: tape.source[range])
      return
    }
    let bytes = tape.source
    let source = bytes.span
    var runStart = range.lowerBound
    var at = runStart
    while at < range.upperBound {
      let byte = source[at]
      if byte == UInt8(ascii: "\"") {
        at = endOfCheckedString(in: source, from: at)
      } else if isWhitespace(byte) {
        output.append(contentsOf: bytes[runStart..<at])
        repeat { at += 1 } while at < range.upperBound && isWhitespace(source[at])
        runStart = at
      } else {
        at += 1
      }
    }
    output.append(contentsOf: bytes[runStart..<range.upperBound])
  }

  /// The value on one line, as text.
  public var minified: String {
    var output: [UInt8] = []
    writeMinified(into: &output)
    return String(decoding: output, as: UTF8.self)
  }
}

/// The end of a string that was already checked, past its closing quote.
private func endOfCheckedString(in source: Span<UInt8>, from start: Int) -> Int {
  var at = start + 1
  while source[at] != UInt8(ascii: "\"") {
    at += source[at] == UInt8(ascii: "\\") ? 2 : 1
  }
  return at + 1
}

/// Appends text with quotes, backslashes and control characters escaped; clean runs are copied whole.
func appendEscaped(_ text: String.UTF8View, to output: inout [UInt8]) {
  let source = text.span
  var copied = 0
  while true {
    let escaped = source.firstIndexOfEscaped(from: copied)
    output.append(copying: source.extracting(copied..<escaped))
    guard escaped < source.count else { return }
    appendEscape(source[escaped], to: &output)
    copied = escaped + 1
  }
}

private func appendEscape(_ byte: UInt8, to output: inout [UInt8]) {
  output.append(UInt8(ascii: "\\"))
  switch byte {
  case UInt8(ascii: "\""), UInt8(ascii: "\\"): output.append(byte)
  case 0x08: output.append(UInt8(ascii: "b"))
  case 0x09: output.append(UInt8(ascii: "t"))
  case 0x0A: output.append(UInt8(ascii: "n"))
  case 0x0C: output.append(UInt8(ascii: "f"))
  case 0x0D: output.append(UInt8(ascii: "r"))
  default:
    output.append(contentsOf: "u00".utf8)
    for digit in [byte >> 4, byte & 15] {
      output.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }
}
