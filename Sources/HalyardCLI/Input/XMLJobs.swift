import LinkPreviews
import Pipeline
import Roles

/// The links of a sitemap, a sitemap index, or an RSS or Atom feed; each carries its line and column.
struct XMLJobs: JobReader {
  private static let limit = 16 << 20
  private static let depthLimit = 64
  /// The elements whose `link` is a link of the feed, such as that of an item.
  private static let owners: Set = ["channel", "item", "feed", "entry"]

  private let source: InputPlan.Source
  private let context: InputContext
  private var whole: WholeInput
  private var scanner: XMLScanner?
  private var open: [String] = []
  /// The link whose element is open: its text so far, decoded, and where that begins.
  private var text: [UInt8] = []
  private var textStart: Int?
  private var isBroken = false
  private var counter = PlaceCounter()

  init(_ context: InputContext, from source: InputPlan.Source) {
    (self.context, self.source) = (context, source)
    whole = WholeInput(name: source.name, limit: Self.limit)
  }

  mutating func take(_ chunk: [UInt8]?) throws(InputError) {
    if try whole.isWhole(with: chunk) { scanner = XMLScanner(whole.bytes) }
  }

  mutating func next() throws(InputError) -> JobDraft? {
    guard scanner != nil else { return nil }
    do throws(XMLFault) {
      while let start = scanner?.position, let event = try scanner?.next() {
        if let job = try take(event, at: start) { return job }
      }
      if let last = open.last {
        throw XMLFault(offset: whole.bytes.count, problem: "<\(last)> is not closed")
      }
    } catch {
      counter.count(to: error.offset, in: whole.bytes)
      throw InputError(source.name, "line \(counter.line): \(error.problem)")
    }
    return nil
  }

  private mutating func take(_ event: XMLScanner.Event, at start: Int) throws(XMLFault) -> JobDraft? {
    switch event {
    case .start(let full, let attributes, let isEmpty):
      let name = Self.local(full)
      let parent = open.last.map(Self.local)
      guard open.count < Self.depthLimit else {
        throw XMLFault(offset: start, problem: "more than \(Self.depthLimit) elements are nested")
      }
      if !isEmpty { open.append(full) }
      (text, textStart, isBroken) = ([], nil, false)
      guard name == "link", let parent, Self.owners.contains(parent), let href = attributes["href"],
        attributes["rel"].map({ !$0.elementsEqual("self".utf8) }) ?? true
      else { return nil }
      return job(XMLText.decoded(href), at: href.startIndex)
    case .text(let raw, let isCDATA):
      guard isInLink else { return nil }
      let blanks = raw.prefix { $0 <= 0x20 }.count
      if textStart == nil, blanks < raw.count { textStart = raw.startIndex + blanks }
      if let more = isCDATA ? Array(raw) : XMLText.decoded(raw) { text += more } else { isBroken = true }
      return nil
    case .end(let full):
      let isLink = isInLink
      guard open.popLast() == full else {
        throw XMLFault(offset: start, problem: "</\(full)> closes nothing")
      }
      defer { (text, textStart) = ([], nil) }
      guard isLink, let textStart else { return nil }
      return job(isBroken ? nil : text, at: textStart)
    }
  }

  private var isInLink: Bool {
    guard open.count >= 2 else { return false }
    let (owner, name) = (open[open.count - 2], open[open.count - 1])
    let parent = Self.local(owner)
    switch Self.local(name) {
    // A prefix of its own makes it the place of an image or a video.
    case "loc":
      return (parent == "url" || parent == "sitemap") && Self.prefix(name) == Self.prefix(owner)
    case "link": return Self.owners.contains(parent)
    default: return false
    }
  }

  /// nil for bytes with a reference that is not known. A relative link would be looked up as a host, so it fails here.
  private mutating func job(_ link: [UInt8]?, at offset: Int) -> JobDraft {
    counter.count(to: offset, in: whole.bytes)
    let line = counter.line
    var job = context.job(line: line)
    if let link {
      job = context.job(linkedTo: link[...], isTooLong: link.count > LineReader.limit, line: line)
      if !Markup.isWebAddress(job.input ?? "") {
        job.refuse("\(context.place(line: line)) has no absolute http or https link")
      }
    } else {
      job.refuse("\(context.place(line: line)) has an unknown entity in its link")
    }
    job.origin = LinkOrigin(file: source.path, line: line, column: counter.column)
    return job
  }

  private static func local(_ name: String) -> String {
    name.split(separator: ":").last.map(String.init) ?? name
  }

  private static func prefix(_ name: String) -> Substring {
    name.dropLast(local(name).count)
  }
}

/// Why a document cannot be read any further.
struct XMLFault: Error, Hashable {
  var offset: Int
  var problem: String
}

/// Pulls tags and text out of a document in one pass; entities of its own are not read, so nothing can expand.
struct XMLScanner {
  enum Event: Hashable {
    case start(name: String, attributes: [String: ArraySlice<UInt8>], isEmpty: Bool)
    case end(name: String)
    /// As it is written; CDATA has no references.
    case text(ArraySlice<UInt8>, isCDATA: Bool)
  }

  private static let longestTag = 65_536

  private let bytes: [UInt8]
  private(set) var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// nil at the end of the document.
  mutating func next() throws(XMLFault) -> Event? {
    while position < bytes.count {
      if bytes[position] != UInt8(ascii: "<") {
        let end = bytes[position...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        defer { position = end }
        return .text(bytes[position..<end], isCDATA: false)
      }
      if begins("<!--") {
        _ = try skip("<!--", until: "-->")
      } else if begins("<![CDATA[") {
        return .text(try skip("<![CDATA[", until: "]]>"), isCDATA: true)
      } else if begins("<?") {
        _ = try skip("<?", until: "?>")
      } else if begins("<!") {
        let start = position
        if try skip("<!", until: ">").contains(UInt8(ascii: "[")) {
          throw XMLFault(offset: start, problem: "declarations inside <!DOCTYPE> are not supported")
        }
      } else {
        return try tag()
      }
    }
    return nil
  }

  private func begins(_ text: String) -> Bool {
    bytes[position...].starts(with: text.utf8)
  }

  private mutating func skip(_ opening: String, until closing: String) throws(XMLFault) -> ArraySlice<UInt8> {
    let mark = Array(closing.utf8)
    let start = position + opening.utf8.count
    var end = start
    while end + mark.count <= bytes.count {
      if bytes[end] == mark[0], bytes[end..<end + mark.count].elementsEqual(mark) {
        position = end + mark.count
        return bytes[start..<end]
      }
      end += 1
    }
    throw XMLFault(offset: position, problem: "\(opening) is not closed")
  }

  private mutating func tag() throws(XMLFault) -> Event {
    let start = position
    position += 1
    let closes = position < bytes.count && bytes[position] == UInt8(ascii: "/")
    if closes { position += 1 }
    let name = name()
    guard !name.isEmpty else { throw XMLFault(offset: start, problem: "'<' does not begin a tag") }
    var attributes: [String: ArraySlice<UInt8>] = [:]
    while true {
      skipBlanks()
      guard position < bytes.count, position - start < Self.longestTag else {
        throw XMLFault(offset: start, problem: "a tag is not closed, or is longer than 64 KiB")
      }
      switch bytes[position] {
      case UInt8(ascii: ">"):
        position += 1
        return closes ? .end(name: name) : .start(name: name, attributes: attributes, isEmpty: false)
      case UInt8(ascii: "/") where !closes && begins("/>"):
        position += 2
        return .start(name: name, attributes: attributes, isEmpty: true)
      default:
        let (key, value) = try attribute()
        attributes[key] = value
      }
    }
  }

  private mutating func attribute() throws(XMLFault) -> (String, ArraySlice<UInt8>) {
    let fault = XMLFault(offset: position, problem: "an attribute is not written as name=\"value\"")
    let key = name()
    skipBlanks()
    guard !key.isEmpty, position < bytes.count, bytes[position] == UInt8(ascii: "=") else { throw fault }
    position += 1
    skipBlanks()
    guard position < bytes.count,
      bytes[position] == UInt8(ascii: "\"") || bytes[position] == UInt8(ascii: "'")
    else { throw fault }
    let start = position + 1
    guard let end = bytes[start...].firstIndex(of: bytes[position]) else { throw fault }
    position = end + 1
    return (key, bytes[start..<end])
  }

  private mutating func name() -> String {
    let start = position
    while position < bytes.count, !Self.endsName(bytes[position]) { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func skipBlanks() {
    while position < bytes.count, Self.isBlank(bytes[position]) { position += 1 }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  private static func endsName(_ byte: UInt8) -> Bool {
    isBlank(byte) || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "=")
      || byte == UInt8(ascii: "<") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
  }
}

/// The five entities and the numeric references of XML.
enum XMLText {
  private static let longestReference = 10

  /// nil when it holds a reference that XML alone does not know.
  static func decoded(_ raw: ArraySlice<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    var rest = raw
    while let mark = rest.firstIndex(of: UInt8(ascii: "&")) {
      result += rest[..<mark]
      let body = rest[(mark + 1)...]
      guard let end = body.prefix(longestReference + 1).firstIndex(of: UInt8(ascii: ";")),
        let character = character(String(decoding: body[..<end], as: UTF8.self))
      else { return nil }
      result += Array(String(Character(character)).utf8)
      rest = rest[(end + 1)...]
    }
    return result + rest
  }

  private static func character(_ name: String) -> Unicode.Scalar? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default: break
    }
    guard name.hasPrefix("#") else { return nil }
    let digits = name.dropFirst()
    let isHex = digits.hasPrefix("x")
    guard let value = UInt32(isHex ? digits.dropFirst() : digits, radix: isHex ? 16 : 10) else { return nil }
    return Unicode.Scalar(value)
  }
}
