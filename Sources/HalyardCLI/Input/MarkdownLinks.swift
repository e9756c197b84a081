internal import CommonMark
internal import Pages
import Pipeline

/// The links of a Markdown document: links, images, addresses that stand as they are, and those of HTML in it.
struct MarkdownLinks: IteratorProtocol {
  static let longest = 4 << 20
  /// For each byte of a document, and for any document.
  private static let (memoryPerByte, leastMemory) = (256, 16 << 20)
  /// The parser takes time by the square of such a run.
  private static let longestRun = 1_000

  private var links: ArraySlice<PageLinks.Link>

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
    var found: [PageLinks.Link] = []
    for part in parts { Self.add(part, of: bytes, &places, to: &found) }
    // Footnotes come last, and stand anywhere.
    found.sort { $0.offset < $1.offset }
    links = found[...]
  }

  mutating func next() -> PageLinks.Link? { links.popFirst() }

  private static func add(
    _ part: MarkdownPart, of bytes: [UInt8], _ places: inout MarkdownPlaces,
    to found: inout [PageLinks.Link]
  ) {
    switch part.kind {
    case .link, .image:
      let text = part.text.isEmpty ? nil : part.text
      found.append(PageLinks.Link(reference: part.content, offset: places.place(of: part), text: text))
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
  private static func html(_ html: [UInt8], at offset: Int, of document: [UInt8]) -> [PageLinks.Link] {
    var links = PageLinks(html, longestText: LinkOrigin.longestText)
    var found: [PageLinks.Link] = []
    while var link = links.next() {
      link.offset = min(offset + link.offset, document.count - 1)
      found.append(link)
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

/// Where the parts of a Markdown document begin, in bytes.
///
/// The parser knows it nearly always. Where its place does not hold what the part begins with, the rest of the block is
/// searched, once at most without success.
struct MarkdownPlaces {
  private static let longestNeedle = 256

  private let bytes: [UInt8]
  /// Where each line begins, and the end.
  private var starts: [Int] = [0]
  private var lines = 0...0
  private var blockEnd = 0
  /// Behind the beginning of the last part.
  private var floor = 0
  /// Behind the last part.
  private var passed = 0
  private var isExhausted = false

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    for index in bytes.indices {
      let isEnd =
        bytes[index] == UInt8(ascii: "\n")
        || bytes[index] == UInt8(ascii: "\r") && !bytes[(index + 1)...].starts(with: [UInt8(ascii: "\n")])
      if isEnd { starts.append(index + 1) }
    }
    starts.append(bytes.count)
  }

  /// The bytes of a block's lines.
  func range(of lines: ClosedRange<Int>) -> Range<Int> {
    start(of: lines.lowerBound)..<start(of: lines.upperBound + 1)
  }

  mutating func place(of part: MarkdownPart) -> Int {
    enter(part.lines)
    let needles = Self.needles(of: part)
    if let guess = part.start.map(offset), guess >= floor, guess < blockEnd,
      needles.contains(where: { bytes[guess...].starts(with: $0) })
    {
      let end = part.end.map { offset($0) + 1 } ?? guess
      return found(at: guess, until: end <= blockEnd ? end : guess)
    }
    let from = part.start.map { max(floor, start(of: $0.line)) } ?? max(floor, passed)
    guard let needle = needles.last, !isExhausted, let place = search(needle, from: from) else {
      isExhausted = true
      return min(floor, max(0, bytes.count - 1))
    }
    return found(at: isOpened(before: place) ? place - 1 : place, until: place + needle.count)
  }

  /// An address in angle brackets begins with them.
  private func isOpened(before place: Int) -> Bool { place > floor && bytes[place - 1] == UInt8(ascii: "<") }

  private mutating func found(at place: Int, until end: Int) -> Int {
    floor = place + 1
    passed = max(passed, end)
    return place
  }

  private mutating func enter(_ lines: ClosedRange<Int>) {
    guard lines != self.lines else { return }
    let range = range(of: lines)
    self.lines = lines
    (floor, passed, blockEnd, isExhausted) = (range.lowerBound, range.lowerBound, range.upperBound, false)
  }

  private func start(of line: Int) -> Int { starts[min(max(line, 1), starts.count) - 1] }

  private func offset(_ place: MarkdownPart.Place) -> Int { start(of: place.line) + max(0, place.column - 1) }

  /// What a part may begin with; the last is what to look for.
  private static func needles(of part: MarkdownPart) -> [[UInt8]] {
    let text = Array(part.text.utf8.prefix(longestNeedle))
    switch part.kind {
    case .image: return [Array("![".utf8)]
    case .html, .htmlBlock: return [Array("<".utf8)]
    case .code: return [[]]
    case .link:
      let showsItself = !text.isEmpty && part.content.suffix(text.count).elementsEqual(text)
      let openings = [Array("<".utf8), Array("[".utf8)]
      return showsItself ? openings + [text] : openings
    }
  }

  private func search(_ needle: [UInt8], from start: Int) -> Int? {
    guard !needle.isEmpty else { return nil }
    var index = start
    while index < blockEnd {
      if bytes[index] == needle[0], bytes[index...].starts(with: needle) { return index }
      index += 1
    }
    return nil
  }
}
