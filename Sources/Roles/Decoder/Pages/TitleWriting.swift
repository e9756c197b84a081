import JSONQuery
import Pages

extension JSONWriter {
  /// Writes a page's or a document's title, and where it stood.
  mutating func title(_ title: String?, from source: TitleSource?) {
    member("title", title)
    member("title_source", source?.rawValue)
  }
}
