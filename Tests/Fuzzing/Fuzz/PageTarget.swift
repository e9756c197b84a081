import Links
import Pages

/// The first byte picks the charset or the content type; the rest is the page, and a header's value too.
@Sendable func checkPage(_ bytes: [UInt8]) {
  let choice = Int(bytes.first ?? 0)
  let body = Array(bytes.dropFirst())
  let charset = Charset.allCases[choice % Charset.allCases.count]
  let text = TextDecoding.utf8(from: body, charset: charset)
  require(String(validating: text, as: UTF8.self) != nil, "\(charset.rawValue) did not become UTF-8")
  checkFileName(String(decoding: body, as: UTF8.self))
  for contentType in [contentTypes[choice % contentTypes.count], "text/html; charset=\(charset.rawValue)"] {
    let facts = PageReader().read(body, contentType: contentType, url: url, resolve: absolute)
    require(facts.title != "", "a title is empty")
    require((facts.title?.utf8.count ?? 0) <= 2_000, "a title is too long")
    require((facts.title == nil) == (facts.titleSource == nil), "a title without a source")
    checkCard(facts.card)
    for arrival in arrivals {
      let interstitial = InterstitialPage.of(facts, body, arrival: arrival)
      require(interstitial == nil || facts.isPage, "what is no page is an interstitial")
    }
  }
}

private func checkCard(_ card: Card) {
  let images = card.list(.images)
  let addresses = [CardField.image, .canonical, .icon, .amphtml, .oembed].compactMap { card[$0] }
  for link in addresses + images + card.list(.feeds) {
    require((try? WebURL(link)) != nil, "\(link) is not absolute")
  }
  require(images.isEmpty || images.count > 1 && images.first == card[.image], "a list of images")
}

extension Card {
  fileprivate func list(_ field: CardField) -> [String] {
    if case .list(let texts)? = found(field)?.value { texts } else { [] }
  }
}

private func checkFileName(_ header: String) {
  for header in [header, "attachment; filename=" + header, "attachment; filename*=UTF-8''" + header] {
    guard let name = FileName.of(contentDisposition: header, path: header) else { continue }
    require(!name.isEmpty && name.utf8.count <= 255, "a name is empty or too long")
    require(!name.contains { $0 == "/" || $0 == "\\" || $0 == "\0" || $0 == "\n" }, "a name has folders")
    require(name.first != "." && name.last != ".", "a name is hidden")
  }
}

private let contentTypes = [
  nil, "text/html", "application/xhtml+xml", "text/xml", "image/svg+xml", "a/b", "application/pdf",
]
private let url = "https://example.org/a/b?c"
private let arrivals = [
  PageArrival(
    isError: true, isChallenge: false,
    way: PageArrival.Way(startHost: "a", startPath: "/", host: "example.org", path: "/login"))
]

@Sendable private func absolute(_ reference: String, _ base: String) -> String? {
  (try? WebURL(reference, relativeTo: WebURL(base)))?.href
}
