/// Reads a document line by line: headers, and keys with their values.
struct TOMLParser {
  struct Key {
    var name: String
    var start: Int
  }

  var cursor: TOMLCursor
  private let root: TOMLNode
  private var current: TOMLNode

  init(_ bytes: [UInt8]) {
    cursor = TOMLCursor(bytes)
    root = TOMLNode(.table(.header), at: TOMLPosition(line: 1, column: 1))
    current = root
  }

  mutating func document() throws(TOMLError) -> TOMLTable {
    try cursor.checkCharacters()
    cursor.skipByteOrderMark()
    while true {
      try skipLines()
      guard let byte = cursor.peek else { return root.table }
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

  private func enter(_ key: Key, of table: TOMLNode) throws(TOMLError) -> TOMLNode {
    guard let found = table[key.name] else {
      let made = TOMLNode(.table(.passedThrough), at: cursor.position(of: key.start))
      table.add(made, as: key.name, at: made.position)
      return made
    }
    guard let entered = found.entered else { throw clash(key, found) }
    return entered
  }

  private func define(_ key: Key, in table: TOMLNode, from start: Int) throws(TOMLError) -> TOMLNode {
    guard let found = table[key.name] else {
      let made = TOMLNode(.table(.header), at: cursor.position(of: start))
      table.add(made, as: key.name, at: cursor.position(of: key.start))
      return made
    }
    guard case .table(.passedThrough) = found.content else { throw clash(key, found) }
    found.content = .table(.header)
    return found
  }

  func clash(_ key: Key, _ found: TOMLNode) -> TOMLError {
    TOMLError(
      position: cursor.position(of: key.start),
      message: "'\(key.name)' is there already, in line \(found.position.line)")
  }

  mutating func readMember(of table: TOMLNode, depth: Int) throws(TOMLError) {
    let keys = try readKeys()
    guard cursor.take(UInt8(ascii: "=")) else { throw cursor.problem("expected '='") }
    cursor.skipBlanks()
    var table = table
    for key in keys.dropLast() {
      if let found = table[key.name] {
        guard case .table(.dottedKey) = found.content else { throw clash(key, found) }
        table = found
      } else {
        let made = TOMLNode(.table(.dottedKey), at: cursor.position(of: key.start))
        table.add(made, as: key.name, at: made.position)
        table = made
      }
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
      guard keys.count <= TOMLLimits.depth else { throw cursor.problem("a key of too many parts") }
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
