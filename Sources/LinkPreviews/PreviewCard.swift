internal import JSONQuery
internal import Links

/// A link as a chat shows it, in HTML.
package struct PreviewCard {
  /// A page that says more about the link.
  package struct Page: Sendable {
    var words: String
    /// From the page with the card, without the query that names the link.
    var path: String

    package static let json = Page(words: "JSON", path: "v1/preview")
    package static let explanation = Page(words: "why", path: "explain")
  }

  private let row: PreviewRow
  private let link: String
  /// nil for what was just fetched.
  private let ageSeconds: Int?
  private let showsImage: Bool
  private let pages: [Page]
  /// The token that the page itself was asked with, which its links need too.
  private let token: String?

  /// - Parameter pages: None for a card that shows nothing about itself.
  package init(
    _ row: PreviewRow, of link: String? = nil, ageSeconds: Int? = nil, showsImage: Bool = true,
    pages: [Page] = [], token: String? = nil
  ) {
    (self.row, self.ageSeconds, self.showsImage) = (row, ageSeconds, showsImage)
    (self.pages, self.token) = (pages, token)
    self.link = link ?? row.text("input") ?? row.url
  }

  /// One element without a line end.
  package var html: String {
    let content = row.problem.map(failure) ?? preview
    return "<article\(row.problem == nil ? "" : " class=\"failed\"")>\(part("p", link))\(content)"
      + (pages.isEmpty ? "" : facts + way) + "</article>"
  }

  private var preview: String {
    var content = part("small", row.card("site_name") ?? row.host)
    content += part("b", row.title ?? row.url)
    content += part("span", row.card("description"))
    if showsImage, let image = row.card("image"), Markup.isWebAddress(image) {
      content += element(for: image)
    }
    guard Markup.isWebAddress(row.url) else { return "<div class=\"card\">\(content)</div>" }
    return "<a class=\"card\" href=\"\(Markup.escaped(row.url))\" rel=\"noopener noreferrer\">\(content)</a>"
  }

  private func element(for image: String) -> String {
    let size = row.imageSize.map { " width=\"\($0.width)\" height=\"\($0.height)\"" } ?? ""
    let words = Markup.escaped(row.card("image_alt") ?? "")
    return
      "<img src=\"\(Markup.escaped(image))\" alt=\"\(words)\"\(size) loading=\"lazy\" referrerpolicy=\"no-referrer\">"
  }

  private func failure(_ problem: Problem) -> String {
    "<div class=\"card\">\(part("b", problem.title))\(part("span", problem.detail))</div>"
  }

  private var facts: String {
    var facts = [row.problem == nil ? "ok" : "failed"]
    if let status = row.root["http_status"]?.int64 { facts.append("HTTP \(status)") }
    if let ageSeconds { facts.append("cached \(Self.words(ageSeconds)) ago") }
    if let time = row.milliseconds, ageSeconds == nil { facts.append("\(time) ms") }
    let hops = row.root["hops"]?.count ?? 0
    facts.append(hops == 1 ? "1 hop" : "\(hops) hops")
    let query = percentEncoded(link) + (token.map { "&amp;api_key=\(percentEncoded($0))" } ?? "")
    let links = pages.map { "<a href=\"\($0.path)?url=\(query)\">\($0.words)</a>" }
    return "<ul class=\"facts\">\(facts.map { part("li", $0) }.joined())<li>\(links.joined())</li></ul>"
  }

  private var way: String {
    guard !row.steps.isEmpty else { return "" }
    let items = (row.steps + [row.url]).map { part("li", $0) }
    return "<details><summary>The way</summary><ol>\(items.joined())</ol></details>"
  }

  private func part(_ element: String, _ text: String?) -> String {
    guard let text, !text.isEmpty else { return "" }
    return "<\(element)>\(Markup.escaped(text))</\(element)>"
  }

  private static func words(_ seconds: Int) -> String {
    switch seconds {
    case ..<60: "\(seconds) s"
    case ..<3_600: "\(seconds / 60) min"
    case ..<86_400: "\(seconds / 3_600) h"
    default: "\(seconds / 86_400) days"
    }
  }
}
