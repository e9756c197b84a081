internal import JSONQuery
import LinkPreviews

/// Rows as a page of link previews, as a chat shows them. Failures stand below the others, wherever their rows came: the
/// page's style moves them, so that rows can be written as they come.
struct PreviewEncoder: RowEncoder {
  func appendHeader(to output: inout [UInt8]) {
    output += PageFrame.head(title: "Link previews", style: Self.style).utf8
    output += "<main>\n<h2>Failed</h2>\n".utf8
  }

  func append(_ row: [UInt8], to output: inout [UInt8]) throws(OutputError) {
    let row = try JSONValue(row: row)
    output += (row["error"] == nil ? preview(row) : failure(row)).utf8
  }

  private func preview(_ row: JSONValue) -> String {
    let (address, card) = (row["url"]?.string ?? "", row["card"])
    var content = ""
    if let image = card?["image"]?.string, Markup.isWebAddress(image) {
      let alt = Markup.escaped(card?["image_alt"]?.string ?? "")
      let size = ["width", "height"].compactMap { name in
        card?["image_\(name)"]?.int64.map { " \(name)=\"\($0)\"" }
      }
      content +=
        "<img src=\"\(Markup.escaped(image))\" alt=\"\(alt)\"\(size.joined()) loading=\"lazy\">"
    }
    content += part("small", card?["site_name"]?.string ?? Self.host(of: address))
    content += part("b", card?["title"]?.string ?? row["title"]?.string ?? address)
    content += part("span", card?["description"]?.string)
    let link = row["input"]?.string ?? address
    return "<article><p>\(Markup.escaped(link))</p>\(anchor(address, content))</article>\n"
  }

  private func failure(_ row: JSONValue) -> String {
    let error = row["error"]
    let words = part("b", error?["kind"]?.string) + part("span", error?["message"]?.string)
    return
      "<article class=\"failed\"><p>\(Markup.escaped(row["input"]?.string ?? "no link"))</p><div>\(words)</div></article>\n"
  }

  private func anchor(_ address: String, _ content: String) -> String {
    guard Markup.isWebAddress(address) else { return "<div>\(content)</div>" }
    return "<a href=\"\(Markup.escaped(address))\" rel=\"noopener\">\(content)</a>"
  }

  private func part(_ element: String, _ text: String?) -> String {
    guard let text, !text.isEmpty else { return "" }
    return "<\(element)>\(Markup.escaped(text))</\(element)>"
  }

  /// Such as `example.org`, for pages that do not name their site.
  private static func host(of address: String) -> String? {
    let parts = address.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true)
    return parts.count > 1 ? String(parts[1]) : nil
  }

  private static let style = """
    body { max-width: 34rem }
    main { display: flex; flex-direction: column; gap: 1.4rem }
    main > h2 { display: none; order: 1; font-size: 1.15rem; margin: 1rem 0 -.6rem }
    main:has(.failed) > h2 { display: block }
    .failed { order: 2 }
    article { min-width: 0 }
    article > p { margin: 0 0 .35rem; font-size: .85rem; color: var(--soft); overflow: hidden; text-overflow: ellipsis;
      white-space: nowrap }
    article > a, article > div { display: flex; flex-direction: column; gap: .15rem; padding: .8rem 1rem; overflow: hidden;
      color: inherit; text-decoration: none; background: var(--card); border: 1px solid var(--line);
      border-left: .25rem solid #4a7fb5; border-radius: .7rem; overflow-wrap: anywhere }
    .failed > div { border-left-color: #b5544a }
    a:hover b, a:focus b { text-decoration: underline }
    img { order: 1; width: 100%; height: auto; aspect-ratio: 1.91; object-fit: cover; margin-top: .5rem; border-radius: .45rem;
      background: var(--line) }
    small { color: var(--soft) }
    b { font-weight: 600 }
    span { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; color: var(--soft);
      font-size: .92rem }
    """
}
