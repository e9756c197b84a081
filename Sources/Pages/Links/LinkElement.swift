/// The elements of HTML and svg that refer to something else.
enum LinkElement: String, CaseIterable, Sendable {
  case a
  case area
  case audio
  case base
  case blockquote
  case del
  case embed
  case frame
  case iframe
  case image
  case img
  case input
  case ins
  case link
  case object
  case q
  case script
  case source
  case track
  case video

  static let table = ElementTable<LinkElement>(allCases.map { ($0.rawValue, $0) })

  /// Those whose values are references.
  var attributes: [LinkAttribute] {
    switch self {
    case .a, .image: [.href, .xlinkHref]
    case .area, .base, .link: [.href]
    case .audio, .embed, .frame, .iframe, .input, .script, .track: [.src]
    case .img, .source: [.src, .srcset]
    case .video: [.src, .poster]
    case .object: [.data]
    case .blockquote, .del, .ins, .q: [.cite]
    }
  }
}

/// The attributes that matter for a document's links.
enum LinkAttribute: String, CaseIterable, Sendable {
  case alt
  case cite
  case data
  case href
  case poster
  case rel
  case src
  case srcset
  case xlinkHref = "xlink:href"

  static let table = WordTable<LinkAttribute>(allCases.map { ($0.rawValue, $0) })
}
