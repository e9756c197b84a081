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
