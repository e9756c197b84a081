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

/// What a page's meta refresh means for the walk that ended there.
enum PageRefresh {
  case none
  /// It waits too long to be followed.
  case later(LaterRefresh)
  case leadsOn(Continuation)

  /// Reads only what the fetcher thinks may hold one.
  static func read(in document: Document, while time: ReadingTime) -> PageRefresh {
    guard var continuation = document.continuation, let page = try? WebURL(document.url) else { return .none }
    let facts = PageReader(readsOnForRefresh: true).read(
      document.body, contentType: document.contentType, url: document.url, isOverdue: { time.isOver },
      resolve: { reference, base in
        (try? WebURL(base)).flatMap { try? WebURL(reference, relativeTo: $0) }?.href
      })
    let base = facts.baseHref.flatMap { try? WebURL($0) } ?? page
    guard let refresh = facts.refresh.flatMap(Refresh.init),
      let target = refresh.target(from: page, base: base)
    else { return .none }
    guard refresh.isFollowed else {
      return .later(LaterRefresh(seconds: refresh.seconds, url: target.href))
    }
    continuation.url = target.href
    return .leadsOn(continuation)
  }
}

/// A page that is an interstitial is no dead link, and not the page either.
enum InterstitialFailure {
  static func of(_ facts: PageFacts, _ document: Document) -> Failure? {
    if let failure = document.failure, failure.kind != .httpStatus { return nil }
    let way = PageArrival.mayEndAtLogin(document.url) ? way(to: document) : nil
    let arrival = PageArrival(
      isError: document.failure != nil, isChallenge: document.note?.isChallenge ?? false, way: way)
    guard let interstitial = InterstitialPage.of(facts, document.body, arrival: arrival) else { return nil }
    return Failure(.blocked, at: .page, "read \(document.url): \(words(for: interstitial))")
  }

  private static func way(to document: Document) -> PageArrival.Way? {
    guard let url = try? WebURL(document.url) else { return nil }
    let start = document.order.job.input.flatMap { try? WebURL.userInput($0) } ?? url
    return PageArrival.Way(
      startHost: start.host.description, startPath: start.path, host: url.host.description, path: url.path)
  }

  private static func words(for interstitial: InterstitialPage) -> String {
    switch interstitial {
    case .bot(let owner):
      "it is a check for bots by \(owner), not the page; open it in a browser"
    case .login:
      "it is a page to log in, not the page; send the cookies of a session with --cookie"
    }
  }
}

extension Card {
  /// JSON members without braces; fields that were not found are left out.
  var members: [UInt8] {
    var row = JSONWriter(reservingCapacity: 1_024)
    var origins: [(CardField, CardOrigin)] = []
    origins.reserveCapacity(12)
    for field in CardField.allCases {
      guard let (value, origin) = found(field) else { continue }
      switch value {
      case .text(let text): row.member(field.rawValue, text)
      case .pixels(let number): row.member(field.rawValue, number)
      case .list(let texts): row.member(field.rawValue, texts)
      case .embedding(let embedding): embedding.write(to: &row)
      }
      origins.append((field, origin))
    }
    if !origins.isEmpty {
      row.beginObject("sources")
      for (field, origin) in origins { row.member(field.rawValue, origin.rawValue) }
      row.endObject()
    }
    return row.bytes
  }

  /// The card again that was written before its endpoint is asked, so it has nothing embedded.
  init(_ written: JSONValue) {
    self.init()
    for field in CardField.allCases where field != .embed {
      guard let value = written[field.rawValue],
        let origin = written["sources"]?[field.rawValue]?.string.flatMap(CardOrigin.init)
      else { continue }
      switch value.kind {
      case .string: offer(field, value.string, from: origin)
      case .array: offer(field, .list(value.elements.compactMap(\.string)), from: origin)
      default: offer(field, value.int64.map { .pixels(Int(clamping: $0)) }, from: origin)
      }
    }
  }
}

extension Embedding {
  /// Writes it as a member of a card, under the names that the endpoint uses.
  func write(to card: inout JSONWriter) {
    card.beginObject(CardField.embed.rawValue)
    for field in EmbedField.allCases {
      card.member(field.rawValue, texts[field])
      guard let number = pixels[field] else { continue }
      card.member(field.rawValue, number)
    }
    card.endObject()
  }
}

extension JSONWriter {
  /// Writes a page's or a document's title, and where it stood.
  mutating func title(_ title: String?, from source: TitleSource?) {
    member("title", title)
    member("title_source", source?.rawValue)
  }
}
