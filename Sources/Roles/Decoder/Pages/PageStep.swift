import HTTPMessages
import JSONQuery
import Links
import Pages
import Pipeline

/// What a step for a decoder comes to.
enum StepEnd {
  /// The failure is why the job fails, if it does.
  case over(Failure?)
  /// Something else is to be fetched before it can be.
  case leadsOn(Continuation)
}

/// The step `title`: a page's title and link card, or a document's own title and name.
enum PageStep {
  /// Writes what was found.
  static func read(
    _ document: Document, while time: ReadingTime, into row: inout JSONWriter
  ) -> StepEnd {
    var resolver = Resolver()
    let facts = PageReader().read(
      document.body, contentType: document.contentType, contentLanguage: document.note?.language,
      url: document.url, isOverdue: { time.isOver }, resolve: { resolver.absolute($0, relativeTo: $1) })
    if facts.isCutShort { return .over(time.failure(reading: document.url)) }
    guard facts.isPage else { return .over(readFile(document, facts, into: &row)) }
    row.member("charset", facts.charset)
    row.title(facts.title, from: facts.titleSource)
    row.member("warnings", facts.warnings.map(\.message))
    let failure =
      InterstitialFailure.of(facts, document) ?? document.failure
      ?? (facts.title == nil ? noTitle(document) : nil)
    guard document.order.job.reading.wantsEmbed else {
      row.card(facts.card.members, without: nil)
      return .over(failure)
    }
    return readOn(document, facts, failure, into: &row)
  }

  /// Sees whether the page's oEmbed endpoint is to be asked before the card is complete.
  private static func readOn(
    _ document: Document, _ facts: PageFacts, _ failure: Failure?, into row: inout JSONWriter
  ) -> StepEnd {
    var facts = facts
    EmbedPlan.name(.registered, in: &facts, document, failure)
    let card = facts.card.members
    switch EmbedPlan.of(facts, document, failure, members: row.bytes, card: card) {
    case .asks(let continuation): return .leadsOn(continuation)
    case .refused(let why): row.card(card, without: why)
    case .none: row.card(card, without: nil)
    }
    return .over(failure)
  }

  private static func noTitle(_ document: Document) -> Failure {
    let what =
      if document.isCapped {
        "there is no title in the first \(document.body.count) bytes; allow more with --max-body"
      } else if document.truncated {
        "there is no title in the \(document.body.count) bytes that came before the server stopped; try it again later"
      } else {
        "the page has no title"
      }
    return Failure(.missingPageTitle, at: .page, "read \(document.url): \(what)")
  }
}

extension PageStep {
  /// Whatever is no page is a file, with a length and a name; a few have titles by rules of their own.
  private static func readFile(
    _ document: Document, _ facts: PageFacts, into row: inout JSONWriter
  ) -> Failure? {
    let type = ContentKind.of(contentType: document.contentType, body: document.body).mediaType
    if document.contentType?.mediaType == nil, !document.body.isEmpty { row.member("content_type", type) }
    if document.failure == nil { writeFile(document, to: &row) }
    row.title(facts.title, from: facts.titleSource)
    row.member("warnings", facts.warnings.map(\.message))
    if let failure = document.failure { return failure }
    // A file without a title is still what the link leads to, but here is none.
    guard document.body.isEmpty else { return nil }
    return Failure(.notHTML, at: .page, "read \(document.url): it is empty")
  }

  private static func writeFile(_ document: Document, to row: inout JSONWriter) {
    if let length = length(of: document) {
      row.member("length", length)
    }
    let path = (try? WebURL(document.url))?.path ?? ""
    row.member("file_name", FileName.of(contentDisposition: document.note?.disposition, path: path))
  }

  /// Of the whole file, also where only its start came.
  private static func length(of document: Document) -> UInt64? {
    document.truncated ? document.note?.length : UInt64(document.body.count)
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
