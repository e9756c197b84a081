internal import Pages
import Pipeline

/// The links of an HTML document.
struct HTMLLinks: LinkFinder {
  let base: [UInt8]?
  private var links: PageLinks

  init(_ bytes: [UInt8]) {
    base = PageLinks.base(of: bytes)
    links = PageLinks(bytes, longestText: LinkOrigin.longestText)
  }

  mutating func next() -> FoundLink? {
    links.next().map { FoundLink(reference: $0.reference, offset: $0.offset, text: $0.text) }
  }
}
