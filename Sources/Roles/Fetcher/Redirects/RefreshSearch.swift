import Pipeline
import Posix

/// Whether a page can hold a refresh: a search for bytes, so that only few pages have to be read because of it.
enum RefreshSearch {
  /// A refresh behind these bytes is not seen.
  static let depthBytes = 64 << 10

  /// Whether something like `http-equiv="refresh"` stands in the first bytes, in any case.
  static func mayFindSomething(in body: [UInt8]) -> Bool {
    let start = body.span.extracting(first: depthBytes)
    // The rarest letter of the name.
    let letter = UInt8(ascii: "q")
    var found = start.firstIndex(ofLetter: letter, from: 0)
    while found < start.count {
      if isRefresh(around: found, in: body) { return true }
      found = start.firstIndex(ofLetter: letter, from: found + 1)
    }
    return false
  }

  private static func isRefresh(around letter: Int, in body: [UInt8]) -> Bool {
    guard has("http-equiv", at: letter - 6, in: body) else { return false }
    var rest = body[(letter + 4)...].drop(while: isSpace)
    guard rest.popFirst() == UInt8(ascii: "=") else { return false }
    rest = rest.drop(while: isSpace)
    if rest.first == UInt8(ascii: "\"") || rest.first == UInt8(ascii: "'") { rest = rest.dropFirst() }
    rest = rest.drop(while: isSpace)
    return has("refresh", at: rest.startIndex, in: body)
  }

  private static func has(_ word: StaticString, at start: Int, in body: [UInt8]) -> Bool {
    guard start >= 0, start + word.utf8CodeUnitCount <= body.count else { return false }
    return zip(word.description.utf8, body[start...]).allSatisfy { letter, byte in
      byte == letter || ((0x41...0x5A).contains(byte) && byte | 0x20 == letter)
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte) && byte != 0x0B
  }
}
