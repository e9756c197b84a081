import JSONQuery
import Links
import Pages
import Pipeline

/// Whether a page's oEmbed endpoint is asked.
enum EmbedPlan {
  /// There is none, or the page is of no use.
  case none
  case asks(Continuation)
  case refused(Failure)

  /// - Parameters:
  ///   - failure: Why the job fails as it is.
  ///   - members: JSON members that were found so far, without those of the card.
  static func of(
    _ facts: PageFacts, _ document: Document, _ failure: Failure?, members: [UInt8], card: [UInt8]
  ) -> EmbedPlan {
    guard facts.card[.oembed] != nil, failure == nil || failure?.kind == .missingPageTitle else {
      return .none
    }
    guard let endpoint = facts.embedEndpoint else {
      return .refused(fault(.noData, document, "its oEmbed endpoint answers in XML, which is not read"))
    }
    guard !isPage(endpoint, document) else {
      return .refused(fault(.redirectLoop, document, "it names itself as its oEmbed endpoint"))
    }
    // Nothing of the way to the page is for the endpoint, though it were of the same site.
    var continuation = Continuation(
      url: endpoint, hops: [], visits: [], cookies: [], hasLeft: true,
      elapsedMilliseconds: document.elapsedMilliseconds
        - min(document.waitedMilliseconds, document.elapsedMilliseconds))
    continuation.oembed = OEmbedContinuation(
      members: members, card: card, failure: failure, caching: document.caching)
    guard continuation.fits else {
      return .refused(
        fault(.bodyTooLarge, document, "what it says is too much to ask its oEmbed endpoint too"))
    }
    return .asks(continuation)
  }

  /// Names the endpoint of a known provider where the page, which is of use, names none.
  static func name(
    _ endpoints: OEmbedProviders, in facts: inout PageFacts, _ document: Document, _ failure: Failure?
  ) {
    guard facts.card[.oembed] == nil, failure == nil || failure?.kind == .missingPageTitle,
      let page = try? WebURL(document.url), page.port == nil,
      let endpoint = endpoints.endpoint(
        host: page.host.description, path: page.path + (page.query.map { "?\($0)" } ?? ""))
    else { return }
    let url = "\(endpoint)?format=json&url=\(page.asQueryValue)"
    facts.embedEndpoint = url
    facts.card.offer(.oembed, url, from: .registry)
  }

  private static func isPage(_ endpoint: String, _ document: Document) -> Bool {
    guard let endpoint = try? WebURL(endpoint), let page = try? WebURL(document.url) else { return false }
    return endpoint.requestURL == page.requestURL
  }

  private static func fault(_ kind: FailureKind, _ document: Document, _ words: String) -> Failure {
    Failure(kind, at: .page, "read \(document.url): \(words)")
  }
}

/// What a page's oEmbed endpoint answered, put to what the page said.
enum EmbedStep {
  /// Writes title and card, behind what was found before; returns why the job fails, if it does.
  static func read(_ document: Document, of oembed: OEmbedContinuation, into row: inout JSONWriter)
    -> Failure?
  {
    let endpoint = try? WebURL(document.url)
    do {
      let embedding = try Embedding(parsing: document.body) { reference in
        endpoint.flatMap { try? WebURL(reference, relativeTo: $0).href }
      }
      var card = try Card(JSONDocument(members: oembed.card).root)
      card.take(embedding)
      return write(card, of: oembed, into: &row)
    } catch {
      row.card(oembed.card, without: failure(error, document))
      return oembed.failure
    }
  }

  private static func write(_ card: Card, of oembed: OEmbedContinuation, into row: inout JSONWriter)
    -> Failure?
  {
    var failure = oembed.failure
    if failure?.kind == .missingPageTitle, case .embedding(let embedding)? = card.found(.embed)?.value,
      let title = embedding.texts[.title]
    {
      row.title(title, from: .oembed)
      failure = nil
    }
    row.card(card.members, without: nil)
    return failure
  }

  private static func failure(_ error: any Error, _ document: Document) -> Failure {
    switch error as? Embedding.Fault {
    case .notJSON(let why): Failure(.dataParsingFailed, at: .json, "decode \(document.url): \(why)")
    case .saysNothing: Failure(.noData, at: .json, "decode \(document.url): it holds nothing of oEmbed")
    case nil: Failure(.underlying, at: .json, "decode \(document.url): the card was changed on its way")
    }
  }
}
