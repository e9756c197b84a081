/// Chooses among what a page says about itself and makes its addresses absolute.
struct CardBuilder {
  let findings: Findings
  /// The address the page was finally read from.
  let url: String
  /// What relative addresses start from.
  let base: String
  let resolve: (_ reference: String, _ base: String) -> String?

  func card() -> Card {
    var card = Card()
    addTexts(to: &card)
    addAddresses(to: &card)
    return card
  }

  private func addTexts(to card: inout Card) {
    set(\.title, .title, in: &card, [(.ogTitle, .og), (.twitterTitle, .twitter)])
    card.offer(\.title, .title, findings.title, from: .title)
    card.offer(\.title, .title, findings.heading, from: .html)
    set(
      \.description, .description, in: &card,
      [(.ogDescription, .og), (.twitterDescription, .twitter), (.description, .meta)])
    set(\.siteName, .siteName, in: &card, [(.ogSiteName, .og), (.siteName, .meta)])
    set(\.type, .type, in: &card, [(.ogType, .og)])
    // What a template of a site says about its locale is a worse witness than the element itself.
    card.offer(\.language, .language, findings.language, from: .html)
    card.offer(\.language, .language, findings[.ogLocale].map(Self.languageTag), from: .og)
    set(\.language, .language, in: &card, [(.language, .meta)])
    if let author = findings[.ogAuthor], !author.contains("://") {
      card.offer(\.author, .author, author, from: .og)
    }
    set(\.author, .author, in: &card, [(.twitterCreator, .twitter), (.author, .meta)])
    set(\.published, .published, in: &card, [(.ogPublished, .og), (.published, .meta)])
  }

  private func addAddresses(to card: inout Card) {
    for name in [MetaName.ogImage, .ogImageURL, .ogImageSecureURL] {
      card.offer(\.image, .image, absolute(findings[name]), from: .og)
    }
    card.offer(\.image, .image, absolute(findings[.twitterImage]), from: .twitter)
    card.offer(\.image, .image, absolute(findings.links.image), from: .link)
    card.offer(\.canonical, .canonical, absolute(findings[.ogURL]), from: .og)
    card.offer(\.canonical, .canonical, absolute(findings[.twitterURL]), from: .twitter)
    card.offer(\.canonical, .canonical, absolute(findings.links.canonical), from: .link)
    card.offer(\.icon, .icon, absolute(findings.links.icon), from: .link)
    card.offer(\.icon, .icon, absolute(findings.links.touchIcon), from: .link)
    if card.icon == nil {
      card.offer(\.icon, .icon, resolve("/favicon.ico", url), from: .convention)
    }
    card.feeds = findings.links.feeds.compactMap(absolute)
    if !card.feeds.isEmpty { card.sources[.feeds] = .link }
  }

  private func set(
    _ path: WritableKeyPath<Card, String?>, _ field: CardField, in card: inout Card,
    _ names: [(MetaName, CardOrigin)]
  ) {
    for (name, origin) in names { card.offer(path, field, findings[name], from: origin) }
  }

  /// Only what can be fetched over HTTP is an address of a card.
  private func absolute(_ reference: String?) -> String? {
    guard let address = reference.flatMap({ resolve($0, base) }),
      address.hasPrefix("https://") || address.hasPrefix("http://")
    else { return nil }
    return address
  }

  /// `pt_BR` as `pt-BR`.
  private static func languageTag(_ locale: String) -> String {
    String(locale.map { $0 == "_" ? "-" : $0 })
  }
}

extension Card {
  /// Fills a field that is still empty.
  fileprivate mutating func offer(
    _ path: WritableKeyPath<Card, String?>, _ field: CardField, _ value: String?, from origin: CardOrigin
  ) {
    guard let value, self[keyPath: path] == nil else { return }
    self[keyPath: path] = value
    sources[field] = origin
  }
}
