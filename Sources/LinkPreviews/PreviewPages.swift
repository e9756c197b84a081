internal import JSONQuery
internal import Links

/// The service's pages and what they load.
package enum PreviewPages {
  package struct Asset: Sendable {
    /// With a part that changes with its content, so that it can be kept for long.
    package let path: String
    package let contentType: StaticString
    package let bytes: [UInt8]

    fileprivate init(_ name: String, _ suffix: String, _ contentType: StaticString, _ bytes: [UInt8]) {
      path = "assets/\(name)-\(digest(of: bytes)).\(suffix)"
      (self.contentType, self.bytes) = (contentType, bytes)
    }
  }

  package static let style = Asset("page", "css", "text/css; charset=utf-8", PackageResources.page_css)
  package static let script = Asset("page", "js", "text/javascript; charset=utf-8", PackageResources.page_js)
  package static let icon = Asset("icon", "svg", "image/svg+xml", PackageResources.icon_svg)
  package static let interface = PackageResources.openapi_json

  /// Nothing is loaded but from here, and images of cards from anywhere: over http too, as many pages name theirs. Behind
  /// TLS, browsers ask for those over https by themselves.
  package static let policy =
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' http: https:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

  /// - Parameters:
  ///   - links: What stands in the field.
  ///   - cards: Those that are known, each a line of HTML.
  ///   - token: What the page was asked with, and what its form is to be sent with.
  package static func page(
    links: [String], showsImages: Bool, state: String, cards: [String], token: String? = nil
  ) -> [UInt8] {
    let example = links.first ?? "https://example.org/"
    let content = filled(
      PackageResources.page_html,
      [
        "script": script.path, "links": links.map(Markup.escaped).joined(separator: "\n"),
        "noimages": showsImages ? "" : " checked", "state": Markup.escaped(state),
        "token": token.map { "<input type=\"hidden\" name=\"api_key\" value=\"\(Markup.escaped($0))\">\n" }
          ?? "",
        "cards": cards.map { $0 + "\n" }.joined(),
        "example": "\(PreviewCard.Page.json.path)?url=\(percentEncoded(example))",
      ])
    return framed("Link previews", content, root: "")
  }

  /// A page with a heading and a text, for people who followed a link to it.
  ///
  /// - Parameter root: The way to the service's root, such as `../`.
  package static func note(_ title: String, _ paragraphs: [String], root: String) -> [UInt8] {
    let text = paragraphs.map { "<p>\(Markup.escaped($0))</p>" }.joined(separator: "\n")
    return note(title, html: text, home: root.isEmpty ? "./" : root, root)
  }

  /// Tells how a link was fetched just now, line by line.
  package static func explanation(of link: String, _ lines: [String], root: String) -> [UInt8] {
    let listing = lines.map { "<span>\(Markup.escaped($0))</span>" }.joined()
    let html = """
      <p>Each request for the link, made just now, and the rule that led on.</p>
      <p class="link">\(Markup.escaped(link))</p>
      <pre>\(listing)</pre>
      """
    return note("Why it is shown so", html: html, home: "\(root)./?links=\(percentEncoded(link))", root)
  }

  private static func note(_ title: String, html: String, home: String, _ root: String) -> [UInt8] {
    let values = ["title": Markup.escaped(title), "text": html, "home": home]
    return framed(title, filled(PackageResources.note_html, values), root: root)
  }

  private static func framed(_ title: String, _ content: String, root: String) -> [UInt8] {
    let values = [
      "title": Markup.escaped(title), "root": root, "style": style.path, "icon": icon.path,
      "content": content,
    ]
    return Array(filled(PackageResources.frame_html, values).utf8)
  }

  /// The template with values in place of their names, such as `{{title}}`.
  private static func filled(_ template: [UInt8], _ values: [String: String]) -> String {
    let parts = String(decoding: template, as: UTF8.self).split(
      separator: "{{", omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(into: String(parts[0])) { html, part in
      let pieces = part.split(separator: "}}", maxSplits: 1, omittingEmptySubsequences: false)
      html += (values[String(pieces[0])] ?? "") + pieces[1]
    }
  }
}

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

/// Text of others as it may stand in a page.
package enum Markup {
  /// Between tags, and in quotes.
  package static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n", "\t", "\r": result += " "
      case _ where scalar.disturbsText: result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Whether a page may lead there, or show it: an absolute address of the web.
  package static func isWebAddress(_ text: String) -> Bool {
    let start = text.prefix(8).lowercased()
    return start.hasPrefix("http://") || start.hasPrefix("https://")
  }
}

extension Unicode.Scalar {
  /// It moves the cursor, breaks the line, or reorders what stands around it.
  package var disturbsText: Bool {
    switch value {
    case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
