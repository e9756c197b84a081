internal import Links
import Pages
import Pipeline
import Roles

/// The links of a Markdown, HTML or text document; each carries its place and its text.
///
/// Links to the document itself and to what HTTP cannot fetch, such as `mailto:`, are passed over.
struct DocumentJobs: JobReader {
  private static let longest = 64 << 20

  private let name: String
  private let file: String?
  private let format: InputFormat
  private let context: InputContext
  private var whole: WholeInput
  private var links: (any IteratorProtocol<PageLinks.Link>)?
  /// What relative links start from.
  private var base: WebURL?
  private var counter = PlaceCounter()

  init(_ context: InputContext, from origin: InputPlan.Source, as format: InputFormat, base: WebURL?) {
    (name, file) = (origin.name, origin.path)
    (self.format, self.context, self.base) = (format, context, base)
    whole = WholeInput(
      name: origin.name, limit: format == .markdown ? MarkdownLinks.longest : Self.longest)
  }

  mutating func take(_ chunk: [UInt8]?) throws(InputError) {
    guard try whole.isWhole(with: chunk) else { return }
    switch format {
    case .markdown: links = try MarkdownLinks(whole.bytes, name: name)
    case .html:
      if let own = PageLinks.base(of: whole.bytes) {
        base = (try? WebURL(bytes: own, relativeTo: base)) ?? base
      }
      links = PageLinks(whole.bytes, longestText: LinkOrigin.longestText)
    case .text, .auto, .lines, .csv, .tsv, .jsonl, .xml: links = TextLinks(whole.bytes)
    }
  }

  mutating func next() -> JobDraft? {
    while let link = links?.next() {
      if let job = job(link) { return job }
    }
    return nil
  }

  private mutating func job(_ link: PageLinks.Link) -> JobDraft? {
    // As browsers do.
    let reference = LinkText.trimBlanks(link.reference.filter { $0 != 0x09 && !isLineEnd($0) }[...])
    let kind = ReferenceKind(reference)
    if case .other = kind { return nil }
    counter.count(to: link.offset, in: whole.bytes)
    let line = counter.line
    var job = context.job(linkedTo: reference, isTooLong: reference.count > LineReader.limit, line: line)
    job.origin = LinkOrigin(
      file: file, line: line, column: counter.column,
      text: link.text?.shortened(toBytes: LinkOrigin.longestText))
    guard case .relative = kind, job.refusal == nil else { return job }
    guard let base else {
      job.isRelative = true
      return job
    }
    if let url = try? WebURL(bytes: Array(reference), relativeTo: base) {
      job.input = url.href
    } else {
      job.refuse("\(context.place(line: line)) has a link that leads nowhere")
    }
    return job
  }
}

/// An input that is read as a whole, up to a limit.
struct WholeInput {
  let name: String
  let limit: Int
  private(set) var bytes: [UInt8] = []

  /// Takes a piece, and tells whether that was the last one.
  ///
  /// - Parameter chunk: nil at the end.
  mutating func isWhole(with chunk: [UInt8]?) throws(InputError) -> Bool {
    guard let chunk else { return true }
    bytes += chunk
    guard bytes.count <= limit else {
      throw InputError(name, "is longer than \(Quantity.byteSize(Int64(limit)))")
    }
    return false
  }
}

/// Counts lines and columns up to places that follow one another in a text.
struct PlaceCounter {
  private var offset = 0
  private(set) var line = 1
  /// In characters, not bytes.
  private(set) var column = 1

  mutating func count(to place: Int, in bytes: [UInt8]) {
    while offset < place {
      if bytes[offset] == UInt8(ascii: "\n") {
        (line, column) = (line + 1, 1)
      } else if bytes[offset] & 0xC0 != 0x80 {
        column += 1
      }
      offset += 1
    }
  }
}

/// Where a reference leads, as far as its beginning tells.
enum ReferenceKind {
  case web
  /// Depends on where the document is.
  case relative
  /// The document itself, or nothing that HTTP can fetch, such as an address for mail.
  case other

  init(_ reference: ArraySlice<UInt8>) {
    guard let first = reference.first, first != UInt8(ascii: "#") else {
      self = .other
      return
    }
    let scheme = reference.prefix { isLetterOrDigit($0) || "+-.".utf8.contains($0) }
    guard isLetter(first), scheme.endIndex < reference.endIndex,
      reference[scheme.endIndex] == UInt8(ascii: ":")
    else {
      self = .relative
      return
    }
    let name = String(decoding: scheme, as: UTF8.self).lowercased()
    self = name == "http" || name == "https" ? .web : .other
  }
}

/// The http and https links of running text, without the punctuation and the brackets around them.
struct TextLinks: IteratorProtocol {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func next() -> PageLinks.Link? {
    while let colon = bytes[position...].firstIndex(of: UInt8(ascii: ":")) {
      let earliest = position
      position = colon + 1
      guard let start = start(before: colon, from: earliest) else { continue }
      let end = end(from: colon + 3)
      guard end > colon + 3 else { continue }
      position = end
      return PageLinks.Link(reference: Array(bytes[start..<end]), offset: start)
    }
    return nil
  }

  /// Where the scheme before a colon begins, if a host follows it.
  private func start(before colon: Int, from earliest: Int) -> Int? {
    guard bytes[colon...].starts(with: "://".utf8), colon + 3 < bytes.count else { return nil }
    let host = bytes[colon + 3]
    guard host >= 0x80 || host == UInt8(ascii: "[") || isLetterOrDigit(host) else { return nil }
    for scheme in ["https", "http"] {
      let start = colon - scheme.utf8.count
      guard start >= earliest, bytes[start..<colon].lazy.map({ $0 | 0x20 }).elementsEqual(scheme.utf8) else {
        continue
      }
      return start > earliest && isLetterOrDigit(bytes[start - 1]) ? nil : start
    }
    return nil
  }

  /// Ends at white space, quotes, angle brackets, and brackets that close more than the link opened; what ends a sentence
  /// is not part of it.
  private func end(from start: Int) -> Int {
    var open: [UInt8: Int] = [:]
    var index = start
    scan: while index < bytes.count, !ends(at: index) {
      let byte = bytes[index]
      if Self.closing.values.contains(byte) { open[byte, default: 0] += 1 }
      if let opening = Self.closing[byte] {
        guard let count = open[opening], count > 0 else { break scan }
        open[opening] = count - 1
      }
      index += 1
    }
    while index > start, Self.trailing.contains(bytes[index - 1]) { index -= 1 }
    return index
  }

  private func ends(at index: Int) -> Bool {
    let byte = bytes[index]
    if byte < 0x80 { return byte <= 0x20 || byte == 0x7F || Self.ending.contains(byte) }
    return Self.wideEnds.contains { bytes[index...].starts(with: $0) }
  }

  /// Closing brackets, and the opening ones of each.
  private static let closing = [
    UInt8(ascii: ")"): UInt8(ascii: "("), UInt8(ascii: "]"): UInt8(ascii: "["),
    UInt8(ascii: "}"): UInt8(ascii: "{"),
  ]
  private static let ending = Set("<>\"`|^\\".utf8)
  private static let trailing = Set(".,;:!?'*_~([{".utf8)
  /// Blanks, quotes and full stops beyond ASCII.
  private static let wideEnds = [
    "\u{85}", "\u{A0}", "«", "»", "\u{2003}", "\u{2009}", "\u{200B}", "\u{2028}", "\u{2029}", "\u{202F}",
    "‘", "’", "“", "”", "„", "…", "\u{3000}", "、", "。", "「", "」", "『", "』", "（", "）", "，", "；", "\u{FEFF}",
  ].map { Array($0.utf8) }
}
