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

  mutating func next() throws(InputError) -> InputJob? {
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

  private mutating func take(_ event: XMLScanner.Event, at start: Int) throws(XMLFault) -> InputJob? {
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
  private mutating func job(_ link: [UInt8]?, at offset: Int) -> InputJob {
    counter.count(to: offset, in: whole.bytes)
    let line = counter.line
    var job = context.job(line: line)
    if let link {
      job = context.job(linkedTo: link[...], isTooLong: link.count > LineReader.limit, line: line)
      if !Markup.isWebAddress(job.draft.input ?? "") {
        job.refuse("\(context.place(line: line)) has no absolute http or https link")
      }
    } else {
      job.refuse("\(context.place(line: line)) has an unknown entity in its link")
    }
    job.draft.origin = LinkOrigin(file: source.path, line: line, column: counter.column)
    return job
  }

  private static func local(_ name: String) -> String {
    name.split(separator: ":").last.map(String.init) ?? name
  }

  private static func prefix(_ name: String) -> Substring {
    name.dropLast(local(name).count)
  }
}
