/// Reads a page's title and link card out of its bytes.
///
/// Takes time linear in the body, whatever the body holds, and reads no further than it needs to.
public struct PageReader: Sendable {
  private let limits = PageLimits()
  private let readsOnForRefresh: Bool
  private let support: CharsetSupport

  /// How much of a page in a legacy charset is converted until its head is over: mostly the first of these is enough.
  private static let convertedBytes = [4_096, 16_384, 65_536]

  /// - Parameter readsOnForRefresh: Looks for a meta refresh also where title and card are settled already.
  public init(readsOnForRefresh: Bool = false) {
    self.init(readsOnForRefresh: readsOnForRefresh, support: .system)
  }

  init(readsOnForRefresh: Bool = false, support: CharsetSupport) {
    self.readsOnForRefresh = readsOnForRefresh
    self.support = support
  }

  /// What the page says about itself; a PDF yields its title, and any other body that is no markup its charset.
  ///
  /// `url` is the final address the body came from. `resolve` makes a reference absolute against a base
  /// and returns nil when it cannot. `isOverdue` is asked now and then, and ends the reading.
  public func read(
    _ body: [UInt8], contentType: String?, contentLanguage: String? = nil, url: String,
    isOverdue: () -> Bool = { false },
    resolve: (_ reference: String, _ base: String) -> String?
  ) -> PageFacts {
    let kind = ContentKind.of(contentType: contentType, body: body)
    let sniffed = Charset.sniff(body.span, contentType: contentType, kind: kind)
    let markup: Markup
    switch kind {
    case .html: markup = .html
    case .xhtml, .xml: markup = .xml
    case .other("application/pdf"), .other("application/x-pdf"):
      let title = PDFTitle.read(body, limit: limits.titleBytes)
      return PageFacts(title: title, titleSource: title.map { _ in .document })
    case .json, .text, .other: return PageFacts(charset: sniffed.charset.rawValue)
    }
    var charset = sniffed.charset
    var findings = scan(body, in: charset, markup, isOverdue)
    if !sniffed.isCertain, let declared = findings.charset, declared != charset {
      charset = declared
      findings = scan(body, in: charset, markup, isOverdue)
    }
    var facts = facts(findings, charset, url, contentLanguage, resolve)
    facts.isCutShort = findings.isCutShort
    let isGuess = !sniffed.isCertain && findings.charset == nil && charset != .utf8
    facts.warnings = [
      support.warning(of: charset, in: body.span), isGuess ? .charsetGuessed(charset) : nil,
    ].compactMap(\.self)
    return facts
  }

  private func scan(
    _ body: [UInt8], in charset: Charset, _ markup: Markup, _ isOverdue: () -> Bool
  ) -> Findings {
    if charset == .utf8 {
      // Bad bytes are replaced in the few values that are kept; none of them can hide a tag.
      return scan(body.span, markup, isOverdue).findings
    }
    for count in Self.convertedBytes where count < body.count {
      let start = TextDecoding.utf8(from: Array(body[..<count]), charset: charset)
      let (findings, stoppedEarly) = scan(start.span, markup, isOverdue)
      guard stoppedEarly else { continue }
      if findings.settlesCard || !mayHoldMore(body.span, behind: count, charset) { return findings }
      break
    }
    return scan(TextDecoding.utf8(from: body, charset: charset).span, markup, isOverdue).findings
  }

  /// Whether something for the card may stand behind what was converted, or over its end.
  private func mayHoldMore(_ body: Span<UInt8>, behind count: Int, _ charset: Charset) -> Bool {
    let isWide = charset == .utf16BE || charset == .utf16LE
    return isWide || body.mayDescribePage(from: count - 16)
  }

  private func scan(
    _ bytes: Span<UInt8>, _ markup: Markup, _ isOverdue: () -> Bool
  ) -> (findings: Findings, stoppedEarly: Bool) {
    var scan = PageScan(markup: markup, limits: limits, readsOnForRefresh: readsOnForRefresh)
    scan.run(over: bytes, isOverdue: isOverdue)
    return (scan.findings, scan.stoppedEarly)
  }

  private func facts(
    _ findings: Findings, _ charset: Charset, _ url: String, _ contentLanguage: String?,
    _ resolve: (_ reference: String, _ base: String) -> String?
  ) -> PageFacts {
    let base = findings.base.flatMap { resolve($0, url) }
    let linkedData = LinkedDataFacts(findings.linkedData, limits: limits)
    return withoutActuallyEscaping(resolve) { resolve in
      let builder = CardBuilder(
        findings: findings, linkedData: linkedData, contentLanguage: contentLanguage, url: url,
        base: base ?? url, resolve: resolve)
      let (title, source) = findings.bestTitle(with: linkedData)
      var facts = PageFacts(
        title: title, titleSource: source, card: builder.card(), isPage: findings.isPage,
        charset: charset.rawValue,
        baseHref: base, refresh: findings.followedRefresh)
      facts.embedEndpoint = builder.embedEndpoint
      return facts
    }
  }
}

extension Findings {
  fileprivate var isPage: Bool { vocabulary == nil || vocabulary == .html }

  fileprivate func bestTitle(with linkedData: LinkedDataFacts) -> (String?, TitleSource?) {
    if let title { return (title, .title) }
    if let title = self[.ogTitle] { return (title, .og) }
    if let title = self[.twitterTitle] { return (title, .twitter) }
    if let title = linkedData[.title] { return (title, .jsonLD) }
    if let heading { return (heading, .h1) }
    return (nil, nil)
  }
}
