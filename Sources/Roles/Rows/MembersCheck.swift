/// Whether what a worker found can go into a row as it is: members of one JSON object, in UTF-8, on one line, and none of
/// those that the aggregator writes itself. A worker may be taken over, so nothing of that is taken for granted.
struct MembersCheck {
  /// The names that stand in rows beside what was found.
  private static let reserved: [[UInt8]] = [
    "schema", "id", "ref", "batch", "ordinal", "kind", "input", "status", "error", "attempts", "ms", "kept",
    "origin", "cached", "age", "revalidated",
  ].map { Array($0.utf8) }
  private static let mostLevels = 520

  private let bytes: [UInt8]
  private var at = 0
  private var levels = 0

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  static func areSound(_ members: [UInt8]) -> Bool {
    guard !members.isEmpty else { return true }
    guard (try? UTF8Span(validating: members.span)) != nil else { return false }
    var check = MembersCheck(members)
    return check.members(until: nil, areOutermost: true) && check.at == members.count
  }

  /// A name may be written in many ways, and none of ours needs more than one.
  private static func isFree(_ name: ArraySlice<UInt8>) -> Bool {
    !name.contains(UInt8(ascii: "\\"))
      && !reserved.contains { $0.count == name.count && $0.elementsEqual(name) }
  }

  private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

  private mutating func takes(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    at += 1
    return true
  }

  /// - Parameter end: What closes the object; nil for the end of all.
  private mutating func members(until end: UInt8?, areOutermost: Bool = false) -> Bool {
    repeat {
      let start = at + 1
      guard string() else { return false }
      if areOutermost, !Self.isFree(bytes[start..<at - 1]) { return false }
      guard takes(UInt8(ascii: ":")), value() else { return false }
    } while takes(UInt8(ascii: ","))
    return end.map { takes($0) } ?? true
  }

  private mutating func value() -> Bool {
    switch next {
    case UInt8(ascii: "\""): return string()
    case UInt8(ascii: "{"):
      return inside { $0.takes(UInt8(ascii: "}")) || $0.members(until: UInt8(ascii: "}")) }
    case UInt8(ascii: "["): return inside { $0.takes(UInt8(ascii: "]")) || $0.elements() }
    case UInt8(ascii: "t"): return word("true")
    case UInt8(ascii: "f"): return word("false")
    case UInt8(ascii: "n"): return word("null")
    default: return number()
    }
  }

  private mutating func inside(_ content: (inout MembersCheck) -> Bool) -> Bool {
    guard levels < Self.mostLevels else { return false }
    (at, levels) = (at + 1, levels + 1)
    defer { levels -= 1 }
    return content(&self)
  }

  private mutating func elements() -> Bool {
    repeat {
      guard value() else { return false }
    } while takes(UInt8(ascii: ","))
    return takes(UInt8(ascii: "]"))
  }

  private mutating func word(_ word: String) -> Bool {
    for byte in word.utf8 where !takes(byte) { return false }
    return true
  }

  /// No control character: a line feed would end the row.
  private mutating func string() -> Bool {
    guard takes(UInt8(ascii: "\"")) else { return false }
    while true {
      at = endOfText()
      guard let byte = next else { return false }
      at += 1
      if byte == UInt8(ascii: "\"") { return true }
      guard byte == UInt8(ascii: "\\"), escape() else { return false }
    }
  }

  /// Most of a row is text: the next quotation mark, backslash or control character.
  private func endOfText() -> Int {
    let text = bytes.span
    var place = at
    while place < text.count, Self.isText(text[place]) { place += 1 }
    return place
  }

  /// Small letters, which are most of it, take one comparison.
  private static func isText(_ byte: UInt8) -> Bool {
    byte > UInt8(ascii: "\\") || byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private mutating func escape() -> Bool {
    guard let byte = next else { return false }
    at += 1
    guard byte == UInt8(ascii: "u") else { return "\"\\/bfnrt".utf8.contains(byte) }
    let end = at + 4
    guard end <= bytes.count, bytes[at..<end].allSatisfy(Self.isHexDigit) else { return false }
    at = end
    return true
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    Character(UnicodeScalar(byte)).isHexDigit
  }

  private mutating func number() -> Bool {
    _ = takes(UInt8(ascii: "-"))
    guard takes(UInt8(ascii: "0")) || digits() else { return false }
    if takes(UInt8(ascii: ".")), !digits() { return false }
    guard takes(UInt8(ascii: "e")) || takes(UInt8(ascii: "E")) else { return true }
    _ = takes(UInt8(ascii: "+")) || takes(UInt8(ascii: "-"))
    return digits()
  }

  private mutating func digits() -> Bool {
    let start = at
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { at += 1 }
    return at > start
  }
}
