import Posix

/// Cuts UTF-8 bytes into tokens, by the states of the HTML standard's tokenizer.
///
/// It keeps no bytes: each call is given the same page. What only the tree knows (raw text, CDATA) the
/// caller decides. Every byte is looked at a fixed number of times.
struct Tokenizer {
  private(set) var position: Int
  /// The name of the tag that was read last.
  private(set) var tagName = ElementCode()
  /// Of the start tag that was read last, where they are useful; of equal names the first.
  var attributes: [Attribute] = []
  var isSelfClosing = false
  /// Behind the name of the tag that was read last.
  private(set) var attributesStart = 0
  private var rootPrefix = RootPrefix()

  init(at position: Int = 0) {
    self.position = position
    attributes.reserveCapacity(AttributeName.allCases.count)
  }

  /// Reads the next token; comments, doctypes and processing instructions are passed over.
  mutating func next(in bytes: Span<UInt8>, markup: Markup, allowsCDATA: Bool) -> Token {
    while position < bytes.count {
      if bytes[position] != .less { return text(in: bytes, from: position) }
      let following = bytes.byte(at: position &+ 1) ?? .space
      switch following {
      case .exclamation:
        if allowsCDATA, bytes.has("[cdata[", at: position &+ 2) { return characterData(in: bytes) }
        position = bytes.endOfDeclaration(at: position, markup: markup)
      case .question:
        position = bytes.firstIndex(of: .greater, from: position &+ 2) &+ 1
      case .slash:
        if let token = endTag(in: bytes, markup) { return token }
      default:
        guard following.isASCIILetter else { return text(in: bytes, from: position) }
        if let token = startTag(in: bytes, markup) { return token }
      }
    }
    return .end
  }

  /// Takes everything up to the end tag of an element whose content is not markup, and that tag.
  mutating func rawText(of name: TagName, in bytes: Span<UInt8>) -> Range<Int> {
    let start = min(position, bytes.count)
    let end =
      name == .script
      ? bytes.endOfScript(from: start)
      : bytes.endOfRawText(from: start, element: name.rawValue)
    position = end
    if position < bytes.count { _ = endTag(in: bytes, .html) }
    return start..<end
  }

  mutating func skipToEnd(of bytes: Span<UInt8>) {
    position = bytes.count
  }

  private mutating func text(in bytes: Span<UInt8>, from start: Int) -> Token {
    position = bytes.firstIndex(of: .less, from: start &+ 1)
    return .text(start..<position, .text)
  }

  private mutating func characterData(in bytes: Span<UInt8>) -> Token {
    let start = position &+ 9
    let end = bytes.endOfCharacterData(from: start)
    position = min(end &+ 3, bytes.count)
    return .text(start..<end, .literal)
  }

  private mutating func startTag(in bytes: Span<UInt8>, _ markup: Markup) -> Token? {
    let name = readName(in: bytes, from: position &+ 1, markup)
    return readAttributes(in: bytes, keep: name.hasUsefulAttributes) ? .startTag(name) : nil
  }

  private mutating func endTag(in bytes: Span<UInt8>, _ markup: Markup) -> Token? {
    let nameStart = position &+ 2
    guard let first = bytes.byte(at: nameStart) else {
      position = bytes.count
      return nil
    }
    guard first.isASCIILetter else {
      position = bytes.firstIndex(of: .greater, from: nameStart) &+ 1
      return nil
    }
    let name = readName(in: bytes, from: nameStart, markup)
    return readAttributes(in: bytes, keep: false) ? .endTag(name) : nil
  }

  private mutating func readName(in bytes: Span<UInt8>, from start: Int, _ markup: Markup) -> TagName {
    var code = ElementCode()
    position = start
    while position < bytes.count {
      let byte = bytes[position]
      if byte.isHTMLSpace || byte == .slash || byte == .greater { break }
      code.add(byte.lowercased)
      position &+= 1
    }
    if markup == .xml, let local = rootPrefix.localName(of: start..<position, in: bytes) { code = local }
    tagName = code
    return TagName(code)
  }

  /// Reads up to and including the tag's `>`; false when the page ends first, and then there is no tag.
  private mutating func readAttributes(in bytes: Span<UInt8>, keep: Bool) -> Bool {
    if !attributes.isEmpty { attributes.removeAll(keepingCapacity: true) }
    isSelfClosing = false
    attributesStart = position
    var scan = AttributeScan(position: position)
    while let (name, value) = scan.next(in: bytes) {
      guard keep, let known = AttributeName.table[bytes, name] else { continue }
      if !attributes.contains(where: { $0.name == known }) {
        attributes.append(Attribute(name: known, value: value))
      }
    }
    position = scan.position
    isSelfClosing = scan.isSelfClosing
    return scan.isComplete
  }

  /// The value of an attribute of the last start tag.
  func value(of name: AttributeName) -> Range<Int>? {
    for attribute in attributes where attribute.name == name { return attribute.value }
    return nil
  }
}

/// What a page is written in; XML has its own rules for empty elements, CDATA and raw text.
enum Markup: Sendable {
  case html
  case xml
}

/// A piece of a page; ranges are offsets of its bytes.
enum Token: Sendable {
  /// Character data, in which references are not decoded yet.
  case text(Range<Int>, TextCollector.Source)
  case startTag(TagName)
  case endTag(TagName)
  case end
}

/// Walks over the attributes of one tag.
struct AttributeScan {
  /// Behind the tag's `>` once there is no further attribute.
  private(set) var position: Int
  private(set) var isSelfClosing = false
  /// Whether the tag ended before the page did.
  private(set) var isComplete = false

  /// The next attribute; nil behind the last one.
  mutating func next(in bytes: Span<UInt8>) -> (name: Range<Int>, value: Range<Int>)? {
    guard startOfName(in: bytes) else { return nil }
    let name = self.name(in: bytes)
    skipSpace(in: bytes)
    guard position < bytes.count else { return nil }
    guard bytes[position] == .equals else { return (name, position..<position) }
    position &+= 1
    skipSpace(in: bytes)
    guard position < bytes.count else { return nil }
    switch bytes[position] {
    case .doubleQuote, .singleQuote:
      let start = position &+ 1
      let end = bytes.firstIndex(of: bytes[position], from: start)
      position = end &+ 1
      return end < bytes.count ? (name, start..<end) : nil
    case .greater:
      return (name, position..<position)
    default:
      let start = position
      while position < bytes.count, !bytes[position].isHTMLSpace, bytes[position] != .greater {
        position &+= 1
      }
      return (name, start..<position)
    }
  }

  /// Passes over white space and slashes; false when the tag ends here.
  private mutating func startOfName(in bytes: Span<UInt8>) -> Bool {
    var isBehindSlash = false
    while position < bytes.count {
      switch bytes[position] {
      case .greater:
        isSelfClosing = isBehindSlash
        isComplete = true
        position &+= 1
        return false
      case .slash:
        isBehindSlash = true
        position &+= 1
      case 0x20, 0x0A, 0x09, 0x0D, 0x0C:
        isBehindSlash = false
        position &+= 1
      default:
        return true
      }
    }
    return false
  }

  /// A name may start with `=`, but not contain it.
  private mutating func name(in bytes: Span<UInt8>) -> Range<Int> {
    let start = position
    position &+= 1
    while position < bytes.count {
      switch bytes[position] {
      case .equals, .greater, .slash, 0x20, 0x0A, 0x09, 0x0D, 0x0C: return start..<position
      default: position &+= 1
      }
    }
    return start..<position
  }

  private mutating func skipSpace(in bytes: Span<UInt8>) {
    position = bytes.skippingSpace(from: position, to: bytes.count)
  }
}

/// The attributes that matter on the way to a title.
enum AttributeName: String, CaseIterable, Sendable {
  case charset
  case color
  case content
  case encoding
  case face
  case href
  case httpEquiv = "http-equiv"
  case lang
  case name
  case property
  case rel
  case size
  case sizes
  case type
  case xmlLang = "xml:lang"

  static let table = WordTable<AttributeName>(allCases.map { ($0.rawValue, $0) })
}

/// An attribute of the tag that was read last, as bytes of the page, its references not decoded.
struct Attribute: Sendable {
  var name: AttributeName
  var value: Range<Int>
}

extension Span<UInt8> {
  /// Where the end tag of a title, textarea, style and the like starts, or the end.
  func endOfRawText(from start: Int, element: String) -> Int {
    var index = firstIndex(of: .less, from: start)
    while index < count, !endsElement(element, at: index) {
      index = firstIndex(of: .less, from: index &+ 1)
    }
    return index
  }

  /// Where the end tag of a script starts, or the end.
  ///
  /// Inside `<!--` and `-->` a `<script` hides the next `</script`.
  func endOfScript(from start: Int) -> Int {
    var state = ScriptState.plain
    var index = start
    while index < count {
      switch state {
      case .plain:
        index = firstIndex(of: .less, from: index)
        if endsElement("script", at: index) { return index }
        if has("<!--", at: index) {
          state = .escaped
          index = endOfScriptEscape(from: index &+ 4)
          if index > 0, byte(at: index &- 1) == .greater { state = .plain }
        } else {
          index &+= 1
        }
      case .escaped, .doubleEscaped:
        index = nextDashOrLess(from: index)
        if has("-->", at: index) {
          state = .plain
          index &+= 3
        } else if endsElement("script", at: index) {
          if state == .escaped { return index }
          state = .escaped
          index &+= 8
        } else if state == .escaped, startsElement("script", at: index) {
          state = .doubleEscaped
          index &+= 7
        } else {
          index &+= 1
        }
      }
    }
    return count
  }

  /// The dashes of `<!--` count for the `-->` that ends the escape: `<!-->` and `<!--->` are over at once.
  private func endOfScriptEscape(from start: Int) -> Int {
    var index = start
    while byte(at: index) == .dash { index &+= 1 }
    return byte(at: index) == .greater ? index &+ 1 : index
  }

  private func nextDashOrLess(from start: Int) -> Int {
    var index = start
    while index < count, self[index] != .dash, self[index] != .less { index &+= 1 }
    return index
  }

  private func endsElement(_ name: String, at index: Int) -> Bool {
    byte(at: index) == .less && byte(at: index &+ 1) == .slash && has(name, at: index &+ 2)
      && isTagNameEnd(at: index &+ 2 &+ name.utf8.count)
  }

  private func startsElement(_ name: String, at index: Int) -> Bool {
    byte(at: index) == .less && has(name, at: index &+ 1)
      && isTagNameEnd(at: index &+ 1 &+ name.utf8.count)
  }

  private func isTagNameEnd(at index: Int) -> Bool {
    guard let byte = byte(at: index) else { return false }
    return byte.isHTMLSpace || byte == .slash || byte == .greater
  }
}

private enum ScriptState {
  case plain
  case escaped
  case doubleEscaped
}

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
