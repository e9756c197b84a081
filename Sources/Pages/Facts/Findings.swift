/// What one pass over a page found, addresses as they are written there.
struct Findings: Sendable {
  var hasTitleElement = false
  var title: String?
  var heading: String?
  var language: String?
  var base: String?
  var refresh: String?
  /// What a meta element says the charset is.
  var charset: Charset?
  var links = LinkFindings()
  private var meta = [String?](repeating: nil, count: MetaName.allCases.count)

  subscript(name: MetaName) -> String? {
    get { meta[name.rawValue] }
    set { meta[name.rawValue] = newValue }
  }

  /// Whether reading on could still change the title.
  var settlesTitle: Bool {
    title != nil
      || hasTitleElement && (self[.ogTitle] ?? self[.twitterTitle] ?? heading) != nil
  }
}

/// What the link elements of a page point at.
struct LinkFindings: Sendable {
  var canonical: String?
  var image: String?
  var icon: String?
  var touchIcon: String?
  var feeds: [String] = []
  /// The largest width that the icon's `sizes` gave.
  var iconWidth = -1
}
