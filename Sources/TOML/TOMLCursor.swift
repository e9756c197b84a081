/// The bytes of a document, and a place among them; nothing is read beyond the end.
struct TOMLCursor {
  private let bytes: [UInt8]
  /// The positions of every 256th byte, so that none is far from a known one.
  private let marks: [TOMLPosition]
  private(set) var offset = 0

  private static let stride = 256

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var (marks, position) = ([TOMLPosition](), TOMLPosition(line: 1, column: 1))
    for (place, byte) in bytes.enumerated() {
      if place.isMultiple(of: Self.stride) { marks.append(position) }
      position.pass(byte)
    }
    self.marks = marks
  }

  var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  func peek(ahead count: Int) -> UInt8? {
    let place = offset + count
    return place < bytes.count ? bytes[place] : nil
  }

  func text(from start: Int, to end: Int) -> String { String(decoding: bytes[start..<end], as: UTF8.self) }

  mutating func advance(by count: Int = 1) { offset = min(offset + count, bytes.count) }

  mutating func take(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    offset += 1
    return true
  }

  /// Letters and digits of ASCII, and these signs.
  mutating func takeWord(with signs: String) -> String {
    let start = offset
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): break
      case UInt8(ascii: "0")...UInt8(ascii: "9"): break
      default: guard signs.utf8.contains(byte) else { return text(from: start, to: offset) }
      }
      offset += 1
    }
    return text(from: start, to: offset)
  }

  mutating func skipBlanks() {
    while let byte = peek, byte == 0x20 || byte == 0x09 { offset += 1 }
  }

  /// A line feed, or one behind a carriage return, comes next.
  var isAtLineEnd: Bool { peek == 0x0A || peek == 0x0D && peek(ahead: 1) == 0x0A }

  mutating func takeLineEnd() -> Bool {
    guard isAtLineEnd else { return false }
    offset += peek == 0x0D ? 2 : 1
    return true
  }

  mutating func skipByteOrderMark() {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
  }

  /// Refuses what is not UTF-8.
  func checkCharacters() throws(TOMLError) {
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    var count = 0
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar): count += UTF8.width(scalar)
      case .emptyInput: return
      case .error: throw TOMLError(position: position(of: count), message: "this is not UTF-8")
      }
    }
  }

  func position(of place: Int) -> TOMLPosition {
    let place = min(place, bytes.count)
    let mark = min(place / Self.stride, marks.count - 1)
    guard mark >= 0 else { return TOMLPosition(line: 1, column: 1) }
    var position = marks[mark]
    for byte in bytes[(mark * Self.stride)..<place] { position.pass(byte) }
    return position
  }

  func problem(_ message: String) -> TOMLError { problem(message, at: offset) }

  func problem(_ message: String, at place: Int) -> TOMLError {
    TOMLError(position: position(of: place), message: message)
  }
}

extension TOMLPosition {
  /// Every character has one byte that does not continue another.
  fileprivate mutating func pass(_ byte: UInt8) {
    if byte == 0x0A {
      (line, column) = (line + 1, 1)
    } else if byte & 0xC0 != 0x80 {
      column += 1
    }
  }
}

extension UTF8 {
  fileprivate static func width(_ scalar: Unicode.Scalar) -> Int {
    scalar.value < 0x80 ? 1 : scalar.value < 0x800 ? 2 : scalar.value < 0x1_0000 ? 3 : 4
  }
}
