internal import CommonMark
internal import Pages
import Pipeline

/// The links of a Markdown document: links, images, addresses that stand as they are, and those of HTML in it.
struct MarkdownLinks: LinkFinder {
  static let longest = 4 << 20
  /// For each byte of a document, and for any document.
  private static let (memoryPerByte, leastMemory) = (256, 16 << 20)
  /// The parser takes time by the square of such a run.
  private static let longestRun = 1_000

  let base: [UInt8]? = nil
  private var links: ArraySlice<FoundLink>

  init(_ document: [UInt8], name: String) throws(InputError) {
    // The parser makes three bytes of a NUL, and its columns count those.
    let bytes = document.contains(0) ? document.map { $0 == 0 ? UInt8(ascii: "?") : $0 } : document
    guard !Self.hasLongRun(bytes) else {
      throw InputError(
        name, "has more than \(Self.longestRun) ')' that close nothing; read it with --input-format text")
    }
    let memory = Self.leastMemory + Self.memoryPerByte * bytes.count
    guard
      let parts = MarkdownDocument.parts(
        of: bytes, longestText: LinkOrigin.longestText, mostMemory: memory)
    else {
      throw InputError(
        name, "takes more memory than a document of its size may; read it with --input-format text")
    }
    var places = MarkdownPlaces(bytes)
    var found: [FoundLink] = []
    for part in parts { Self.add(part, of: bytes, &places, to: &found) }
    // Footnotes come last, and stand anywhere.
    found.sort { $0.offset < $1.offset }
    links = found[...]
  }

  mutating func next() -> FoundLink? { links.popFirst() }

  private static func add(
    _ part: MarkdownPart, of bytes: [UInt8], _ places: inout MarkdownPlaces, to found: inout [FoundLink]
  ) {
    switch part.kind {
    case .link, .image:
      let text = part.text.isEmpty ? nil : part.text
      found.append(FoundLink(reference: part.content, offset: places.place(of: part), text: text))
    case .html:
      found += html(part.content, at: places.place(of: part), of: bytes)
    case .htmlBlock:
      let range = places.range(of: part.lines)
      found += html(Array(bytes[range]), at: range.lowerBound, of: bytes)
    case .code:
      _ = places.place(of: part)
    }
  }

  /// - Parameter offset: Where it begins, unless the parser is mistaken: then it may end behind the document.
  private static func html(_ html: [UInt8], at offset: Int, of document: [UInt8]) -> [FoundLink] {
    var links = PageLinks(html, longestText: LinkOrigin.longestText)
    var found: [FoundLink] = []
    while let link = links.next() {
      let place = min(offset + link.offset, document.count - 1)
      found.append(FoundLink(reference: link.reference, offset: place, text: link.text))
    }
    return found
  }

  private static func hasLongRun(_ bytes: [UInt8]) -> Bool {
    var run = 0
    for byte in bytes {
      if byte <= 0x20 || byte == UInt8(ascii: "(") { run = 0 }
      if byte == UInt8(ascii: ")") { run += 1 }
      if run > longestRun { return true }
    }
    return false
  }
}
