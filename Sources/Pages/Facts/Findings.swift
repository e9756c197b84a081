/// What one pass over a page found, addresses as they are written there.
struct Findings: Sendable {
  /// Of an XML document.
  var vocabulary: XMLOutline.Vocabulary?
  var hasTitleElement = false
  /// The time was over before the page was.
  var isCutShort = false
  var title: String?
  var heading: String?
  var language: String?
  var base: String?
  var refresh: String?
  /// For who runs no scripts.
  var noscriptRefresh: String?
  /// What a meta element says the charset is.
  var charset: Charset?
  var links = LinkFindings()
  var images: [String] = []
  var ogImages = DeclaredImages()
  var twitterImages = DeclaredImages()
  /// The contents of scripts that hold JSON-LD.
  private(set) var linkedData: [[UInt8]] = []
  private var linkedDataBytes = 0
  /// What a script costs beside its content.
  private static let bytesOfScript = 64
  private var meta = [String?](repeating: nil, count: MetaName.wordsAboutPages)

  subscript(name: MetaName) -> String? {
    get { meta[name.rawValue] }
    set { meta[name.rawValue] = newValue }
  }

  /// Keeps a script's content while all of them together are within `limit` bytes.
  mutating func addLinkedData(_ content: Span<UInt8>, limit: Int) {
    guard linkedDataBytes + content.count <= limit else { return }
    linkedDataBytes += content.count + Self.bytesOfScript
    linkedData.append(content.copied)
  }

  /// Whether the page says something about itself for previews.
  var hasPreview: Bool {
    meta[MetaName.previews].contains { $0 != nil }
  }

  /// Whether what it says for previews has a title or an image. A head with a site's name alone leaves the rest to the body.
  var settlesCard: Bool {
    (self[.ogTitle] ?? self[.twitterTitle] ?? self[.ogImage] ?? self[.ogImageURL] ?? self[.ogImageSecureURL]
      ?? self[.twitterImage]) != nil
  }

  /// The refresh that a reader who runs no scripts follows. A page that is complete without scripts means only browsers
  /// with one for them.
  var followedRefresh: String? {
    if let refresh { return refresh }
    let isComplete = title != nil && (hasPreview || self[.description] != nil)
    return isComplete ? nil : noscriptRefresh
  }

  /// Whether reading on could still change the title.
  var settlesTitle: Bool {
    title != nil
      || hasTitleElement && (self[.ogTitle] ?? self[.twitterTitle]) != nil
  }
}

/// What the link elements of a page point at.
struct LinkFindings: Sendable {
  var canonical: String?
  var image: String?
  var icon = SizedAddress()
  var touchIcon = SizedAddress()
  var maskIcon: String?
  var feeds: [String] = []
  var amphtml: String?
  var jsonEmbedding: String?
  var xmlEmbedding: String?
}

/// The address of the largest of several images, by what their `sizes` say; of equal ones the first.
struct SizedAddress: Sendable {
  private(set) var address: String?
  private var width = -1

  /// `width` is 0 where no size is given.
  func isSmaller(than width: Int) -> Bool { self.width < width }

  mutating func take(_ address: String, width: Int) {
    (self.address, self.width) = (address, width)
  }
}
