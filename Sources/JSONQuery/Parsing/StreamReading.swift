import Posix

extension TapeBuilder {
  mutating func build(_ form: JSONForm, _ source: Span<UInt8>) throws(JSONError) {
    switch form {
    case .text: try build(source)
    case .lines:
      try buildArray(source) { builder, source throws(JSONError) in try builder.readLines(source) }
    case .sequence:
      try buildArray(source) { builder, source throws(JSONError) in try builder.readSequence(source) }
    }
  }

  /// Lays out an array that is not written around the texts that `read` finds.
  ///
  /// - Parameter read: Returns how many there are.
  private mutating func buildArray(
    _ source: Span<UInt8>,
    _ read: (inout TapeBuilder, Span<UInt8>) throws(JSONError) -> Int
  ) throws(JSONError) {
    try append(.array, upTo: cursor)
    let count = try read(&self, source)
    closeNode(0, at: source.count, count: count)
  }

  private mutating func readLines(_ source: Span<UInt8>) throws(JSONError) -> Int {
    var count = 0
    var line = 0
    while cursor < source.count {
      let end = source.firstIndex(of: UInt8(ascii: "\n"), from: cursor)
      line += 1
      if !isBlank(source, upTo: end) {
        do {
          try readText(source.extracting(first: end))
        } catch {
          throw JSONError(error.reason, at: error.offset, in: .line(line))
        }
        count += 1
      }
      cursor = min(end + 1, source.count)
    }
    return count
  }

  private mutating func readSequence(_ source: Span<UInt8>) throws(JSONError) -> Int {
    var count = 0
    var number = 0
    while cursor < source.count {
      let isSeparator = source[cursor] == JSONForm.recordSeparator
      let start = cursor + (isSeparator ? 1 : 0)
      let end = source.firstIndex(of: JSONForm.recordSeparator, from: start)
      cursor = start
      if !isBlank(source, upTo: end) {
        number += 1
        let before = nodes.count
        do {
          try readText(source.extracting(first: end))
          try checkEnd(ofTextAt: before, source, end)
          count += 1
        } catch {
          passOver(JSONError(error.reason, at: error.offset, in: .text(number)), since: before)
        }
      }
      cursor = end
    }
    if count == 0, let first = skipped.first { throw first }
    return count
  }

  /// What ends with its last digit or letter may have been cut there, unless white space follows.
  private func checkEnd(ofTextAt index: Int, _ source: Span<UInt8>, _ end: Int) throws(JSONError) {
    switch nodes[index].kind {
    case .number, .bool, .null:
      guard isWhitespace(source[end - 1]) else { throw JSONError(.endsTooEarly, at: end) }
    case .string, .array, .object: break
    }
  }

  private func isBlank(_ source: Span<UInt8>, upTo end: Int) -> Bool {
    var at = cursor
    while at < end, isWhitespace(source[at]) { at += 1 }
    return at == end
  }
}

/// Finds JSON in the scripts that some servers send in its place.
///
/// They either put words in front that keep another site's page from running it, such as `)]}'` or `for(;;);`, or call a
/// function with it (JSONP), such as `/**/ callback({"a":1});`.
enum ScriptWrapping {
  private static let guards = [
    ")]}',", ")]}'", "for(;;);", "for (;;);", "while(1);", "while (1);", "throw 1;", "{}&&", "{} &&",
  ]

  /// The part of `text` that is JSON; all of it when it is none of these scripts.
  static func contents(of text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var script = text
    script.dropBlanks()
    for word in guards where script.drop(word) {
      // `throw 1; < don't be evil' >` is one of the oldest.
      script.dropBlanks()
      if script.drop("<") { script.drop(past: ">") }
      return script
    }
    return argument(of: script) ?? text
  }

  private static func argument(of text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var script = text
    if script.drop("/*") {
      script.drop(past: "*/")
      script.dropBlanks()
    }
    // Some look first whether there is such a function.
    if script.drop("typeof ") {
      script.drop(past: "&&")
      script.dropBlanks()
    }
    guard script.dropName() else { return nil }
    script.dropBlanks()
    guard script.drop("(") else { return nil }
    script.dropBlanksAtEnd()
    if script.last == UInt8(ascii: ";") {
      script.removeLast()
      script.dropBlanksAtEnd()
    }
    return script.last == UInt8(ascii: ")") ? script.dropLast() : nil
  }
}

extension ArraySlice<UInt8> {
  fileprivate mutating func dropBlanks() {
    self = drop(while: isWhitespace)
  }

  fileprivate mutating func dropBlanksAtEnd() {
    while let byte = last, isWhitespace(byte) { removeLast() }
  }

  /// Whether the word was there.
  fileprivate mutating func drop(_ word: String) -> Bool {
    guard starts(with: word.utf8) else { return false }
    removeFirst(word.utf8.count)
    return true
  }

  /// Drops all when the word is not there.
  fileprivate mutating func drop(past word: String) {
    while !isEmpty, !drop(word) { removeFirst() }
  }

  /// The name of a function, such as `jQuery17._cb` or `callbacks['x']`.
  fileprivate mutating func dropName() -> Bool {
    guard let first, isLetter(first) else { return false }
    self = drop { isLetter($0) || isDigit($0) || ".[]'\"".utf8.contains($0) }
    return true
  }
}

private func isLetter(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
    UInt8(ascii: "$"):
    true
  default: false
  }
}

/// A document written in UTF-16 or UTF-32, recognised by its byte order mark or by its first zero bytes.
///
/// JSON starts with ASCII and never holds a NUL, so a zero byte among the first four tells the width and the order.
struct WideText {
  private let unitSize: Int
  private let isBigEndian: Bool
  private let start: Int

  init?(_ bytes: [UInt8]) {
    let marks: [(mark: [UInt8], unitSize: Int, isBigEndian: Bool)] = [
      ([0x00, 0x00, 0xFE, 0xFF], 4, true), ([0xFF, 0xFE, 0x00, 0x00], 4, false),
      ([0xFE, 0xFF], 2, true), ([0xFF, 0xFE], 2, false),
    ]
    if let found = marks.first(where: { bytes.starts(with: $0.mark) }) {
      (unitSize, isBigEndian, start) = (found.unitSize, found.isBigEndian, found.mark.count)
      return
    }
    let zeros = bytes.prefix(4).map { $0 == 0 }
    switch zeros {
    case [true, true, true, false]: (unitSize, isBigEndian) = (4, true)
    case [false, true, true, true]: (unitSize, isBigEndian) = (4, false)
    case _ where zeros.starts(with: [true, false]): (unitSize, isBigEndian) = (2, true)
    case _ where zeros.starts(with: [false, true]): (unitSize, isBigEndian) = (2, false)
    default: return nil
    }
    start = 0
  }

  /// The same text in UTF-8; an error's offset counts the bytes as they came.
  func utf8(of bytes: [UInt8]) throws(JSONError) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count / unitSize)
    var at = start
    while at < bytes.count {
      guard let (scalar, end) = readScalar(bytes, at: at) else {
        throw JSONError(.malformedWideText, at: at)
      }
      output.append(contentsOf: scalar.utf8)
      at = end
    }
    return output
  }

  private func readScalar(_ bytes: [UInt8], at start: Int) -> (Unicode.Scalar, end: Int)? {
    guard let first = readUnit(bytes, at: start) else { return nil }
    let next = start + unitSize
    if let scalar = Unicode.Scalar(first) { return (scalar, next) }
    guard unitSize == 2, first < 0xDC00, let second = readUnit(bytes, at: next),
      0xDC00...0xDFFF ~= second,
      let scalar = Unicode.Scalar(0x10000 + ((first & 0x3FF) << 10 | second & 0x3FF))
    else { return nil }
    return (scalar, next + 2)
  }

  private func readUnit(_ bytes: [UInt8], at start: Int) -> UInt32? {
    guard bytes.count - start >= unitSize else { return nil }
    var unit: UInt32 = 0
    for position in 0..<unitSize {
      unit = unit << 8 | UInt32(bytes[start + (isBigEndian ? position : unitSize - 1 - position)])
    }
    return unit
  }

  /// The byte as it came of a byte of the UTF-8 that was made of it.
  func sentOffset(of offset: Int, in utf8: [UInt8]) -> Int {
    let units = utf8.prefix(offset).reduce(0) { units, byte in
      if byte & 0xC0 == 0x80 { return units }
      return units + (byte >= 0xF0 && unitSize == 2 ? 2 : 1)
    }
    return start + units * unitSize
  }

  func sent(_ error: JSONError, _ utf8: [UInt8]) -> JSONError {
    var error = error
    error.offset = sentOffset(of: error.offset, in: utf8)
    return error
  }
}
