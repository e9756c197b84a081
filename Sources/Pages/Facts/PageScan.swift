/// One pass over a page: listens to its tokens and keeps what a title and a card need.
struct PageScan {
  private(set) var findings = Findings()
  /// Whether the scan ended before the page did, because nothing further could matter.
  private(set) var stoppedEarly = false

  private let markup: Markup
  private let limits: PageLimits
  private let readsOnForRefresh: Bool
  private var tokenizer = Tokenizer()
  private var stack = ElementStack()
  private var isHeadOver = false
  private var isInsideNoscript = false
  /// Where the next end tag of a head stands, as far as it was looked for.
  private var headEnd = -1
  /// Whether the body behind a settled title holds what a card lacks; nil until it was looked for.
  private var isBodyWorthReading: Bool?
  /// The text of an element whose content is markup: a heading, or a title in XML.
  private var collected: (element: TagName, text: TextCollector)?
  private var outline = XMLOutline()
  private var isTitleMarkup = false

  init(markup: Markup, limits: PageLimits, readsOnForRefresh: Bool = false) {
    self.markup = markup
    self.limits = limits
    self.readsOnForRefresh = readsOnForRefresh
  }

  /// How many tokens are read between two looks at the time.
  private static let tokensPerLook = 4_096

  /// - Parameter isOverdue: Whether the time for it is over, and what was found so far must do.
  mutating func run(over bytes: Span<UInt8>, isOverdue: () -> Bool = { false }) {
    var tokens = 0
    while goesOn(in: bytes) {
      tokens &+= 1
      if tokens.isMultiple(of: Self.tokensPerLook), isOverdue() {
        findings.isCutShort = true
        return
      }
      switch tokenizer.next(in: bytes, markup: markup, allowsCDATA: markup == .xml || stack.allowsCDATA) {
      case .text(let range, let kind): collect(range, as: kind, bytes)
      case .startTag(let name): started(name, bytes)
      case .endTag(let name): ended(name, bytes)
      case .end:
        finishCollecting()
        return
      }
    }
    stoppedEarly = tokenizer.position < bytes.count
  }

  /// The head is enough where it has a title, and a title or an image for previews. Where it lacks these, many sites have
  /// them in the body.
  private mutating func goesOn(in bytes: Span<UInt8>) -> Bool {
    guard isHeadOver, findings.settlesTitle else { return true }
    if readsOnForRefresh, findings.refresh == nil { return true }
    if let isBodyWorthReading { return isBodyWorthReading }
    let isWorthIt = !findings.settlesCard && bytes.mayDescribePage(from: tokenizer.position)
    isBodyWorthReading = isWorthIt
    return isWorthIt
  }

  private mutating func started(_ name: TagName, _ bytes: Span<UInt8>) {
    if name == .noscript { isInsideNoscript = true }
    if markup == .xml {
      startedInXML(name, bytes)
      return
    }
    if stack.takesForeign(name) {
      guard endsForeignContent(name) else {
        startedInForeignContent(name, bytes)
        return
      }
      stack.leftForeign()
    }
    startedInHTML(name, bytes)
  }

  private func endsForeignContent(_ name: TagName) -> Bool {
    if name == .font {
      return tokenizer.attributes.contains { $0.name == .color || $0.name == .face || $0.name == .size }
    }
    return name.endsForeignContent
  }

  private mutating func startedInForeignContent(_ name: TagName, _ bytes: Span<UInt8>) {
    let encoding = name == .annotation ? tokenizer.value(of: .encoding) : nil
    stack.openedInsideForeign(
      name, tokenizer.tagName, isSelfClosing: tokenizer.isSelfClosing,
      isHTMLAnnotation: bytes.spells("text/html", in: encoding)
        || bytes.spells("application/xhtml+xml", in: encoding))
  }

  private mutating func startedInHTML(_ name: TagName, _ bytes: Span<UInt8>) {
    switch name {
    case .title:
      let text = tokenizer.rawText(of: name, in: bytes)
      if !stack.isInsideTemplate { foundTitle(text, bytes) }
    case .script:
      let type = tokenizer.value(of: .type).map { bytes.withoutParameters($0) }
      let content = tokenizer.rawText(of: name, in: bytes)
      if !stack.isInsideTemplate, bytes.spells("application/ld+json", in: type) {
        findings.addLinkedData(bytes.extracting(content), limit: limits.linkedDataBytes)
      }
    case .textarea, .style, .xmp, .iframe, .noembed, .noframes:
      _ = tokenizer.rawText(of: name, in: bytes)
    case .plaintext:
      tokenizer.skipToEnd(of: bytes)
    case .template:
      stack.openedTemplate()
    case .svg, .math:
      stack.openedForeign(name, isSelfClosing: tokenizer.isSelfClosing)
    default:
      if !stack.isInsideTemplate { startedOutsideTemplate(name, bytes) }
      if name.hasContent { stack.openedHTML(name, tokenizer.tagName) }
    }
  }

  private mutating func startedOutsideTemplate(_ name: TagName, _ bytes: Span<UInt8>) {
    switch name {
    case .html, .base, .link, .meta:
      findings.read(
        name, with: tokenizer, in: bytes, limits: limits, isInsideNoscript: isInsideNoscript)
    case .body where !isHeadOver:
      // Some pages have parts of their head behind it.
      if headEnd < tokenizer.position { headEnd = bytes.index(of: "</head", from: tokenizer.position) }
      isHeadOver = headEnd == bytes.count
    case .heading where findings.heading == nil:
      collect(textOf: name)
    case .lineBreak:
      collected?.text.appendSpace()
    default:
      break
    }
  }

  private mutating func startedInXML(_ name: TagName, _ bytes: Span<UInt8>) {
    let admitsTitle = outline.admitsTitle
    outline.opened(tokenizer.tagName, isSelfClosing: tokenizer.isSelfClosing)
    findings.vocabulary = outline.vocabulary
    switch name {
    case .svg where outline.vocabulary != .svg:
      stack.openedForeign(name, isSelfClosing: tokenizer.isSelfClosing)
    case .title where admitsTitle && !stack.isForeign && !findings.hasTitleElement:
      findings.hasTitleElement = true
      let type = tokenizer.value(of: .type).map { bytes.trimmed($0) }
      isTitleMarkup = outline.vocabulary == .atom && bytes.spells("html", in: type)
      if !tokenizer.isSelfClosing { collect(textOf: name) }
    case .template where !tokenizer.isSelfClosing:
      stack.openedTemplate()
    default:
      if !stack.isInsideTemplate, !stack.isForeign { startedOutsideTemplate(name, bytes) }
    }
  }

  private mutating func ended(_ name: TagName, _ bytes: Span<UInt8>) {
    if markup == .xml { outline.closed() }
    if collected?.element == name { finishCollecting() }
    if name == .noscript { isInsideNoscript = false }
    if name == .head, !stack.isInsideTemplate { isHeadOver = true }
    stack.closed(name, tokenizer.tagName)
  }

  private mutating func foundTitle(_ range: Range<Int>, _ bytes: Span<UInt8>) {
    guard !findings.hasTitleElement else { return }
    findings.hasTitleElement = true
    findings.title =
      bytes.plainText(in: range, limit: limits.titleBytes)
      ?? TextCollector.text(of: bytes, range, as: .text, limit: limits.titleBytes)
  }

  private mutating func collect(textOf element: TagName) {
    finishCollecting()
    collected = (element, TextCollector(limit: limits.titleBytes))
  }

  private mutating func collect(_ range: Range<Int>, as kind: TextCollector.Source, _ bytes: Span<UInt8>) {
    guard collected != nil, stack.isEmpty else { return }
    collected?.text.append(bytes, range, as: kind)
    if collected?.text.isFull == true { finishCollecting() }
  }

  private mutating func finishCollecting() {
    guard let (element, collector) = collected else { return }
    collected = nil
    if element == .title {
      let text = collector.text
      findings.title = isTitleMarkup ? text.flatMap { MarkupText.read($0, limit: limits.titleBytes) } : text
    } else {
      findings.heading = findings.heading ?? collector.text
    }
  }
}
