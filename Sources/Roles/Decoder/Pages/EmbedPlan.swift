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
