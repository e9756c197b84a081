import Posix

extension Span<UInt8> {
  /// Behind a comment, a doctype or anything else that starts with `<!` at `start`.
  func endOfDeclaration(at start: Int, markup: Markup) -> Int {
    if has("<!--", at: start) { return endOfComment(from: start &+ 4) }
    let end = firstIndex(of: .greater, from: start &+ 2)
    guard markup == .xml, has("<!doctype", at: start) else { return end &+ 1 }
    return endOfXMLDoctype(from: start, firstGreater: end)
  }

  /// Behind the `>` that ends a comment whose text starts at `start`.
  ///
  /// Ends are `-->`, `--!>`, and `>` or `->` right at the start; the dashes of `<!--` do not count.
  func endOfComment(from start: Int) -> Int {
    if byte(at: start) == .greater { return start &+ 1 }
    if byte(at: start) == .dash, byte(at: start &+ 1) == .greater { return start &+ 2 }
    var index = start
    while true {
      index = firstIndex(of: .greater, from: index)
      guard index < count else { return count }
      var dashes = index &- 1
      if dashes >= start, self[dashes] == .exclamation { dashes &-= 1 }
      if dashes &- 1 >= start, self[dashes] == .dash, self[dashes &- 1] == .dash { return index &+ 1 }
      index &+= 1
    }
  }

  /// Where `]]>` stands, or the end.
  func endOfCharacterData(from start: Int) -> Int {
    var index = start
    while true {
      index = firstIndex(of: .greater, from: index)
      guard index < count else { return count }
      if index &- 2 >= start, self[index &- 1] == 0x5D, self[index &- 2] == 0x5D { return index &- 2 }
      index &+= 1
    }
  }

  /// Behind a tag's name.
  func endOfTagName(from start: Int) -> Int {
    var index = start
    while index < count {
      let byte = self[index]
      if byte.isHTMLSpace || byte == .slash || byte == .greater { break }
      index &+= 1
    }
    return index
  }

  /// A doctype of XML may carry declarations in brackets, with `>` in them.
  private func endOfXMLDoctype(from start: Int, firstGreater: Int) -> Int {
    let declaration = extracting(..<firstGreater)
    let bracket = declaration.firstIndex(of: UInt8(ascii: "["), from: start)
    guard bracket < declaration.count else { return firstGreater &+ 1 }
    let closing = firstIndex(of: UInt8(ascii: "]"), from: bracket)
    return firstIndex(of: .greater, from: closing) &+ 1
  }
}
