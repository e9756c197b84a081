/// Turns pieces of a page into one text: references decoded, white space collapsed, length bounded.
struct TextCollector {
  enum Source {
    case text
    case attribute
    /// Nothing in it is a reference.
    case literal
  }

  private let limit: Int
  private let collapsesSpace: Bool
  private var bytes: [UInt8] = []
  private var owesSpace = false

  /// Keeps `limit` bytes of UTF-8.
  init(limit: Int, collapsesSpace: Bool = true) {
    self.limit = limit
    self.collapsesSpace = collapsesSpace
  }

  /// A little more than the limit is kept, because the cut needs to see what follows.
  var isFull: Bool { bytes.count > limit &+ 64 }

  mutating func append(_ source: Span<UInt8>, _ range: Range<Int>, as kind: Source) {
    var index = range.lowerBound
    while index < range.upperBound, !isFull {
      let byte = source[index]
      index &+= 1
      if byte == .ampersand, kind != .literal,
        let reference = CharacterReference.read(
          in: source, at: index &- 1, to: range.upperBound, isAttribute: kind == .attribute)
      {
        append(reference.first)
        if let second = reference.second { append(second) }
        index = reference.end
      } else if byte == 0 {
        append("\u{FFFD}")
      } else {
        append(byte)
      }
    }
  }

  /// What separates words without being a character of the page, such as a line break element.
  mutating func appendSpace() {
    append(.space)
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { append(byte) }
  }

  private mutating func append(_ byte: UInt8) {
    if collapsesSpace, byte.isHTMLSpace {
      owesSpace = !bytes.isEmpty
      return
    }
    if owesSpace {
      owesSpace = false
      bytes.append(.space)
    }
    bytes.append(byte)
  }

  /// The text of a single piece.
  static func text(
    of source: Span<UInt8>, _ range: Range<Int>, as kind: Source, limit: Int, collapsesSpace: Bool = true
  ) -> String? {
    var collector = TextCollector(limit: limit, collapsesSpace: collapsesSpace)
    collector.append(source, range, as: kind)
    return collector.text
  }

  static func text(of string: String, as kind: Source, limit: Int) -> String? {
    let bytes = Array(string.utf8)
    return text(of: bytes.span, bytes.indices, as: kind, limit: limit)
  }

  /// The text, cut between two characters where it is too long; nil when there is nothing to see in it.
  var text: String? {
    let text = String(decoding: bytes, as: UTF8.self)
    if text.isBlank { return nil }
    return text.utf8.count > limit ? text.cut(toBytes: limit) : text
  }
}

extension String {
  /// Whether there is nothing in it but white space of any script.
  var isBlank: Bool {
    if utf8.contains(where: { $0 > 0x20 && $0 < 0x7F }) { return false }
    return unicodeScalars.allSatisfy(\.properties.isWhitespace)
  }

  /// The longest start of whole characters within a number of bytes; of whole scalars when the first
  /// character alone is longer.
  func cut(toBytes limit: Int) -> String {
    var end = startIndex
    var length = 0
    for index in indices {
      length += self[index].utf8.count
      if length > limit { break }
      end = self.index(after: index)
    }
    if end > startIndex { return String(self[..<end]) }
    var scalars = String.UnicodeScalarView()
    length = 0
    for scalar in unicodeScalars {
      length += UTF8.width(scalar)
      if length > limit { break }
      scalars.append(scalar)
    }
    return String(scalars)
  }
}

/// The text of a piece of HTML, such as an Atom title of type `html`.
enum MarkupText {
  static func read(_ html: String, limit: Int) -> String? {
    let bytes = Array(html.utf8)
    var tokenizer = Tokenizer()
    var collector = TextCollector(limit: limit)
    while true {
      switch tokenizer.next(in: bytes.span, markup: .html, allowsCDATA: false) {
      case .text(let range, let kind): collector.append(bytes.span, range, as: kind)
      case .startTag(.script): _ = tokenizer.rawText(of: .script, in: bytes.span)
      case .startTag(.style): _ = tokenizer.rawText(of: .style, in: bytes.span)
      case .startTag(.lineBreak), .startTag(.paragraph), .startTag(.flow): collector.appendSpace()
      case .startTag, .endTag: break
      case .end: return collector.text
      }
    }
  }
}

extension Span<UInt8> {
  /// The text of a range in which nothing needs decoding, cutting or collapsing: most attributes by far.
  func plainText(in range: Range<Int>, limit: Int) -> String? {
    guard range.count <= limit, !range.isEmpty else { return nil }
    var isBehindSpace = true
    for index in range {
      let byte = self[index]
      if byte <= .ampersand {
        if byte == .ampersand || byte < .space { return nil }
        if byte == .space {
          if isBehindSpace { return nil }
          isBehindSpace = true
          continue
        }
      }
      isBehindSpace = false
    }
    guard !isBehindSpace, let valid = try? UTF8Span(validating: extracting(range)) else { return nil }
    let text = String(copying: valid)
    return text.isBlank ? nil : text
  }
}
