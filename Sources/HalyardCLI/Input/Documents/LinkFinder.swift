import Pages
import Pipeline

/// A link as a document has it.
struct FoundLink {
  /// What it refers to, its escapes and references decoded.
  var reference: [UInt8]
  /// Where it begins, in bytes of the document.
  var offset: Int
  /// What a reader of the document sees of it.
  var text: String?
}

/// Finds the links of one document, in their order.
protocol LinkFinder {
  /// The reference that relative ones start from, if the document names one.
  var base: [UInt8]? { get }
  mutating func next() -> FoundLink?
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
    let scheme = reference.prefix { Self.isOfScheme($0) }
    guard isLetter(first), scheme.endIndex < reference.endIndex,
      reference[scheme.endIndex] == UInt8(ascii: ":")
    else {
      self = .relative
      return
    }
    let name = String(decoding: scheme, as: UTF8.self).lowercased()
    self = name == "http" || name == "https" ? .web : .other
  }

  private static func isOfScheme(_ byte: UInt8) -> Bool {
    isLetterOrDigit(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: ".")
  }
}

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
