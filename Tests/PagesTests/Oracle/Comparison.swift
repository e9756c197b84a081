@testable import Pages

/// One page read by the scan and by the oracle.
struct Comparison {
  let ours: Findings
  let theirs: GumboPage

  /// The whole page is read, so that what stands behind the title is compared too.
  init(_ utf8: [UInt8]) {
    var scan = PageScan(markup: .html, limits: .unbounded, readsOnForRefresh: true)
    scan.run(over: utf8.span)
    ours = scan.findings
    theirs = GumboPage(utf8)
  }

  /// What differs, in words; empty when all is equal.
  var differences: [String] {
    var differences: [String] = []
    func compare(_ what: String, _ our: String?, _ their: String?) {
      if our != their { differences.append("\(what): ours \(our.debugged), oracle \(their.debugged)") }
    }
    compare("title", ours.title, theirs.title?.collapsed)
    compare("base", ours.base?.withoutReturns, theirs.base?.trimmed)
    compare("language", ours.language, theirs.language?.collapsed)
    for (word, name) in Self.metaNames {
      let values = theirs.meta[word] ?? []
      compare(word, ours[name], values.lazy.compactMap(\.collapsed).first)
    }
    compare(
      "canonical", ours.links.canonical?.withoutReturns,
      theirs.links["canonical"]?.lazy.compactMap(\.trimmed).first)
    return differences
  }

  private static let metaNames: [(String, MetaName)] = [
    ("og:title", .ogTitle), ("og:description", .ogDescription), ("twitter:title", .twitterTitle),
    ("description", .description), ("og:site_name", .ogSiteName), ("og:type", .ogType),
  ]
}

extension PageLimits {
  /// Cutting is tested elsewhere.
  static let unbounded = PageLimits(
    titleBytes: 1 << 24, descriptionBytes: 1 << 24, shortTextBytes: 1 << 24, addressBytes: 1 << 24)
}

extension String? {
  fileprivate var debugged: String { map { String($0.prefix(200)).debugDescription } ?? "none" }
}

extension String {
  /// Trees have no carriage returns before line feeds; addresses lose both when they are resolved.
  fileprivate var withoutReturns: String { String(unicodeScalars.filter { $0 != "\r" }.map(Character.init)) }
}
