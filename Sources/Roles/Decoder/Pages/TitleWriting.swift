import JSONQuery
import Pages

extension JSONWriter {
  /// Writes a page's or a document's title, and where it stood.
  mutating func title(of facts: PageFacts) {
    member("title", facts.title)
    member("title_source", facts.titleSource?.rawValue)
  }
}
