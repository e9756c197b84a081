import JSONQuery
import Links
import Pages
import Pipeline

/// The step `title`: a page's title and link card.
enum PageStep {
  /// Writes what was found; returns why the job fails, if it does.
  static func read(_ document: Document, into row: inout JSONWriter) -> Failure? {
    switch ContentKind.of(contentType: document.contentType, body: document.body) {
    case .html, .xhtml: break
    case .xml, .json, .text, .other:
      return document.failure
        ?? Failure(
          .notHTML, at: .page,
          "read \(document.url): it is \(document.contentType ?? "of no known type"), not a page")
    }
    var resolver = Resolver()
    let facts = PageReader().read(
      document.body, contentType: document.contentType, url: document.url,
      resolve: { resolver.absolute($0, relativeTo: $1) })
    write(facts, to: &row)
    if let failure = document.failure { return failure }
    guard facts.title != nil else {
      let what =
        document.truncated
        ? "there is no title in the \(document.body.count) bytes that came; if that is all of --max-body, allow more"
        : "the page has no title"
      return Failure(.missingPageTitle, at: .page, "read \(document.url): \(what)")
    }
    return nil
  }

  private static func write(_ facts: PageFacts, to row: inout JSONWriter) {
    row.member("charset", facts.charset)
    row.member("title", facts.title)
    row.member("title_source", facts.titleSource?.rawValue)
    row.key("card")
    facts.card.write(to: &row)
  }
}

/// Makes a page's addresses absolute; most have the same base, which is read once.
private struct Resolver {
  private var base: (text: String, url: WebURL?)?

  mutating func absolute(_ reference: String, relativeTo text: String) -> String? {
    if base?.text != text { base = (text, try? WebURL(text)) }
    guard let url = base?.url else { return nil }
    return try? WebURL(reference, relativeTo: url).href
  }
}
