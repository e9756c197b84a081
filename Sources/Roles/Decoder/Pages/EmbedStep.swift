import JSONQuery
import Links
import Pages
import Pipeline

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
