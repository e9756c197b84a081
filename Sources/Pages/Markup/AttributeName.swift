/// The attributes that matter on the way to a title.
enum AttributeName: String, CaseIterable, Sendable {
  case charset
  case color
  case content
  case encoding
  case face
  case href
  case httpEquiv = "http-equiv"
  case lang
  case name
  case property
  case rel
  case size
  case sizes
  case type
  case xmlLang = "xml:lang"

  static let table = WordTable<AttributeName>(allCases.map { ($0.rawValue, $0) })
}

/// An attribute of the tag that was read last, as bytes of the page, its references not decoded.
struct Attribute: Sendable {
  var name: AttributeName
  var value: Range<Int>
}
