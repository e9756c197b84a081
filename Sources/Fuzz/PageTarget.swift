import Links
import Pages

/// The first byte picks the charset or the content type; the rest is the page.
@Sendable func checkPage(_ bytes: [UInt8]) {
  let choice = Int(bytes.first ?? 0)
  let body = Array(bytes.dropFirst())
  let charset = Charset.allCases[choice % Charset.allCases.count]
  let text = TextDecoding.utf8(from: body, charset: charset)
  require(String(validating: text, as: UTF8.self) != nil, "\(charset.rawValue) did not become UTF-8")
  for contentType in [contentTypes[choice % contentTypes.count], "text/html; charset=\(charset.rawValue)"] {
    let facts = PageReader().read(body, contentType: contentType, url: url, resolve: absolute)
    require(facts.title != "", "a title is empty")
    require((facts.title == nil) == (facts.titleSource == nil), "a title without a source")
    for link in [facts.card.image, facts.card.canonical, facts.card.icon].compactMap(\.self) {
      require((try? WebURL(link)) != nil, "\(link) is not absolute")
    }
  }
}

private let contentTypes = [nil, "text/html", "application/xhtml+xml", "text/xml", "image/svg+xml", "a/b"]
private let url = "https://example.org/a/b?c"

@Sendable private func absolute(_ reference: String, _ base: String) -> String? {
  (try? WebURL(reference, relativeTo: WebURL(base)))?.href
}
