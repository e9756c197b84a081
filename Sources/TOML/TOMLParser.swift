/// Reads a document line by line: headers, and keys with their values.
struct TOMLParser {
  struct Key {
    var name: String
    var start: Int
  }

  var cursor: TOMLCursor
  private let root: TOMLTable
  private var current: TOMLTable

  /// How deep values may stand in each other, and how many parts a key may have.
  static let deepest = 64

  init(_ bytes: [UInt8], into root: TOMLTable) {
    cursor = TOMLCursor(bytes)
    (self.root, current) = (root, root)
  }

  mutating func readDocument() throws(TOMLError) {
    try cursor.checkCharacters()
    cursor.skipByteOrderMark()
    while true {
      try skipLines()
      guard let byte = cursor.peek else { return }
      if byte == UInt8(ascii: "[") { try readHeader() } else { try readMember(of: current, depth: 0) }
      try endLine()
    }
  }

  /// Passes over blank lines and comments.
  mutating func skipLines() throws(TOMLError) {
    repeat {
      cursor.skipBlanks()
      try skipComment()
    } while cursor.takeLineEnd()
  }

  private mutating func skipComment() throws(TOMLError) {
    guard cursor.take(UInt8(ascii: "#")) else { return }
    while let byte = cursor.peek, byte != 0x0A, !cursor.isAtLineEnd {
      guard byte >= 0x20 && byte != 0x7F || byte == 0x09 else {
        throw cursor.problem("a control character in a comment")
      }
      cursor.advance()
    }
  }

  private mutating func endLine() throws(TOMLError) {
    cursor.skipBlanks()
    try skipComment()
    guard cursor.peek == nil || cursor.takeLineEnd() else {
      throw cursor.problem("expected the end of the line")
    }
  }

  private mutating func readHeader() throws(TOMLError) {
    let start = cursor.offset
    cursor.advance()
    guard cursor.peek != UInt8(ascii: "[") else {
      throw cursor.problem("no setting takes an array of tables; write [NAME]", at: start)
    }
    let keys = try readKeys()
    guard cursor.take(UInt8(ascii: "]")) else { throw cursor.problem("expected ']'") }
    var table = root
    for key in keys.dropLast() { table = try enter(key, of: table) }
    guard let last = keys.last else { return }
    current = try define(last, in: table, from: start)
  }

  private func enter(_ key: Key, of table: TOMLTable) throws(TOMLError) -> TOMLTable {
    guard let found = table[key.name] else { return add(.passedThrough, as: key, to: table) }
    guard case .table(let inner) = found.content, inner.origin != .inline else { throw clash(key, found) }
    return inner
  }

  private func define(_ key: Key, in table: TOMLTable, from start: Int) throws(TOMLError) -> TOMLTable {
    guard let found = table[key.name] else { return add(.header, as: key, to: table, from: start) }
    guard case .table(let inner) = found.content, inner.origin == .passedThrough else {
      throw clash(key, found)
    }
    inner.origin = .header
    return inner
  }

  /// - Parameter start: Where the table begins, if that is not its key.
  private func add(
    _ origin: TOMLTable.Origin, as key: Key, to table: TOMLTable, from start: Int? = nil
  ) -> TOMLTable {
    let made = TOMLTable(origin)
    let value = TOMLValue(content: .table(made), position: cursor.position(of: start ?? key.start))
    table.add(value, as: key.name, at: cursor.position(of: key.start))
    return made
  }

  private func clash(_ key: Key, _ found: TOMLValue) -> TOMLError {
    cursor.problem("'\(key.name)' is there already, in line \(found.position.line)", at: key.start)
  }

  mutating func readMember(of table: TOMLTable, depth: Int) throws(TOMLError) {
    let keys = try readKeys()
    guard cursor.take(UInt8(ascii: "=")) else { throw cursor.problem("expected '='") }
    cursor.skipBlanks()
    var table = table
    for key in keys.dropLast() {
      guard let found = table[key.name] else {
        table = add(.dottedKey, as: key, to: table)
        continue
      }
      guard case .table(let inner) = found.content, inner.origin == .dottedKey else {
        throw clash(key, found)
      }
      table = inner
    }
    guard let last = keys.last else { return }
    if let found = table[last.name] { throw clash(last, found) }
    table.add(
      try readValue(depth: depth + keys.count), as: last.name, at: cursor.position(of: last.start))
  }

  /// One key, or several with dots between them, and the blanks behind them.
  private mutating func readKeys() throws(TOMLError) -> [Key] {
    var keys: [Key] = []
    repeat {
      cursor.skipBlanks()
      let start = cursor.offset
      keys.append(Key(name: try readKey(), start: start))
      cursor.skipBlanks()
      guard keys.count <= Self.deepest else { throw cursor.problem("a key of too many parts") }
    } while cursor.take(UInt8(ascii: "."))
    return keys
  }

  private mutating func readKey() throws(TOMLError) -> String {
    switch cursor.peek {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return try cursor.string(allowingLines: false)
    default:
      let name = cursor.takeWord(with: "-_")
      guard !name.isEmpty else { throw cursor.problem("expected a key") }
      return name
    }
  }
}

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
    do {
      _ = try UTF8Span(validating: bytes.span)
    } catch {
      throw problem("this is not UTF-8", at: error.byteOffsets.lowerBound)
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
