/// What a page is written in; XML has its own rules for empty elements, CDATA and raw text.
enum Markup: Sendable {
  case html
  case xml
}

/// A piece of a page; ranges are offsets of its bytes.
enum Token: Sendable {
  /// Character data whose references are not decoded yet.
  case text(Range<Int>)
  /// Character data in which nothing is a reference.
  case characterData(Range<Int>)
  case startTag(TagName)
  case endTag(TagName)
  case end
}
