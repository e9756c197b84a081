internal import Links

/// The service's pages and what they load.
package enum PreviewPages {
  package struct Asset: Sendable {
    /// With a part that changes with its content, so that it can be kept for long.
    package let path: String
    package let contentType: StaticString
    package let bytes: [UInt8]

    fileprivate init(_ name: String, _ suffix: String, _ contentType: StaticString, _ bytes: [UInt8]) {
      var hash = StableHash()
      hash.add(bytes)
      path = "assets/\(name)-\(String(hash.value, radix: 36)).\(suffix)"
      (self.contentType, self.bytes) = (contentType, bytes)
    }
  }

  package static let style = Asset("page", "css", "text/css; charset=utf-8", PackageResources.page_css)
  package static let script = Asset("page", "js", "text/javascript; charset=utf-8", PackageResources.page_js)
  package static let icon = Asset("icon", "svg", "image/svg+xml", PackageResources.icon_svg)
  package static let interface = PackageResources.openapi_json

  /// Nothing is loaded but from here, and images of cards from anywhere.
  package static let policy: StaticString =
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' http: https:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

  /// - Parameters:
  ///   - links: What stands in the field.
  ///   - cards: Those that are known, each a line of HTML.
  package static func page(links: [String], showsImages: Bool, state: String, cards: [String]) -> [UInt8] {
    let example = links.first ?? "https://example.org/"
    return filled(
      PackageResources.page_html,
      [
        "links": links.map(Markup.escaped).joined(separator: "\n"),
        "noimages": showsImages ? "" : " checked", "state": Markup.escaped(state),
        "cards": cards.map { $0 + "\n" }.joined(),
        "example": "v1/preview?url=\(Markup.queryEncoded(example))",
      ])
  }

  /// A page with a heading and a text, for people who followed a link to it.
  ///
  /// - Parameter root: The way to the service's root, such as `../`.
  package static func note(_ title: String, _ paragraphs: [String], root: String) -> [UInt8] {
    let text = paragraphs.map { "<p>\(Markup.escaped($0))</p>\n" }.joined()
    let html = """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="robots" content="noindex">
      <title>\(Markup.escaped(title)) · Halyard</title>
      <link rel="stylesheet" href="\(root)\(style.path)">
      <main>
      <h1>\(Markup.escaped(title))</h1>
      \(text)<p><a href="\(root.isEmpty ? "./" : root)">Preview a link</a></p>
      </main>
      </html>

      """
    return Array(html.utf8)
  }

  private static func filled(_ template: [UInt8], _ values: [String: String]) -> [UInt8] {
    var html = ""
    var values = values
    (values["style"], values["script"], values["icon"]) = (style.path, script.path, icon.path)
    var rest = String(decoding: template, as: UTF8.self)[...]
    while let (before, name, behind) = rest.nextMark {
      html += before
      html += values[name] ?? ""
      rest = behind
    }
    return Array((html + rest).utf8)
  }
}

extension Substring {
  /// The first `{{name}}`, with what stands around it.
  fileprivate var nextMark: (before: Substring, name: String, behind: Substring)? {
    var start = startIndex
    while let open = self[start...].firstIndex(of: "{") {
      let inside = self[index(after: open)...]
      if inside.first == "{", let end = inside.firstIndex(of: "}"), self[end...].hasPrefix("}}") {
        return (self[..<open], String(inside.dropFirst()[..<end]), self[index(end, offsetBy: 2)...])
      }
      start = index(after: open)
    }
    return nil
  }
}
