import Posix

/// Searches for bytes that tell whether the rest of a page has to be read; much faster than reading it.
extension Span<UInt8> {
  /// Whether elements that describe a page may stand behind `start`: meta, link, or a script with JSON-LD.
  func mayDescribePage(from start: Int) -> Bool {
    var index = firstIndex(of: UInt8(ascii: "<"), from: start)
    while index < count {
      switch byte(at: index &+ 1)?.lowercased {
      case UInt8(ascii: "m"): if has("<meta", at: index) { return true }
      case UInt8(ascii: "l"): if has("<link", at: index) { return true }
      default: break
      }
      index = firstIndex(of: UInt8(ascii: "<"), from: index &+ 1)
    }
    return self.index(of: "+json", from: start) < count
  }

  /// Where a word given in lower case stands next, in any case, or the end. It begins with no letter.
  func index(of word: String, from start: Int) -> Int {
    guard let first = word.utf8.first else { return start }
    var index = firstIndex(of: first, from: start)
    while index < count, !has(word, at: index) { index = firstIndex(of: first, from: index &+ 1) }
    return index
  }
}
