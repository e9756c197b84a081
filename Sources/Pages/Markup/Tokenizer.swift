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
      if bytes[position] != .less { return .text(text(in: bytes, from: position)) }
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
        guard following.isASCIILetter else { return .text(text(in: bytes, from: position)) }
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

  private mutating func text(in bytes: Span<UInt8>, from start: Int) -> Range<Int> {
    position = bytes.firstIndex(of: .less, from: start &+ 1)
    return start..<position
  }

  private mutating func characterData(in bytes: Span<UInt8>) -> Token {
    let start = position &+ 9
    let end = bytes.endOfCharacterData(from: start)
    position = min(end &+ 3, bytes.count)
    return .characterData(start..<end)
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
