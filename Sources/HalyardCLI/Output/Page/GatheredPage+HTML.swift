import LinkPreviews

extension GatheredPage {
  /// A whole page without scripts, which loads nothing but the items' own images.
  var html: String {
    PageFrame.head(title: title, style: PageFrame.common + "\n" + Self.style)
      + (sections.isEmpty
        ? "<p>Nothing was gathered that could be shown here.</p>"
        : sections.map(markup).joined(separator: "\n"))
      + "\n</html>\n"
  }

  private func markup(_ section: Section) -> String {
    let heading = section.title.isEmpty ? "" : "<h2>\(escaped(section.title))</h2>\n"
    if let details = section.details { return "<section>\n\(heading)\(markup(details))\n</section>" }
    guard !section.items.isEmpty else { return "<section>\n\(heading)<p>No items.</p>\n</section>" }
    // Without any picture there is no column for them.
    let hasPictures = section.items.contains { $0.image != nil }
    let items = section.items.map { markup($0, amongPictures: hasPictures) }.joined(separator: "\n")
    return "<section>\n\(heading)<ul>\n\(items)\n</ul>\n</section>"
  }

  private func markup(_ item: Item, amongPictures: Bool) -> String {
    var content = ""
    if let image = item.image {
      content = "<img src=\"\(escaped(image))\" alt=\"\" width=\"100\" height=\"100\" loading=\"lazy\">"
    } else if amongPictures {
      content = "<span aria-hidden=\"true\">\(escaped(String(item.name.prefix(1)).uppercased()))</span>"
    }
    content += "<b>\(escaped(item.name))</b>"
    if !item.detail.isEmpty { content += "<small>\(escaped(item.detail))</small>" }
    let details = item.details.map(markup) ?? ""
    return item.link.map { "<li><a href=\"\(escaped($0))\">\(content)</a>\(details)</li>" }
      ?? "<li>\(content)\(details)</li>"
  }

  private func markup(_ details: Details) -> String {
    switch details {
    case .text(let text): escaped(text)
    case .list(let items): "<ol>" + items.map { "<li>\(markup($0))</li>" }.joined() + "</ol>"
    case .object(let members):
      "<dl>" + members.map { "<dt>\(escaped($0.name))</dt><dd>\(markup($0.value))</dd>" }.joined() + "</dl>"
    }
  }

  private func escaped(_ text: String) -> String { Markup.escaped(text) }

  private static let style = """
    h2 { font-size: 1.15rem; margin: 2rem 0 .75rem }
    ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(10.5rem, 1fr)); gap: .9rem; margin: 0; padding: 0;
      list-style: none }
    ul:has(img) { grid-template-columns: repeat(auto-fill, minmax(min(10.5rem, 50% - .45rem), 1fr)) }
    ul > li { background: var(--card); border: 1px solid var(--line); border-radius: .7rem; overflow: hidden }
    ul > li > a, ul > li:not(:has(a)) { display: flex; flex-direction: column; padding: .7rem; color: inherit; text-decoration: none }
    a:hover b, a:focus b { text-decoration: underline }
    img, span { width: 100%; aspect-ratio: 1; height: auto; object-fit: cover; border-radius: .45rem; background: var(--line) }
    span { display: grid; place-items: center; font-size: 2.2rem; color: var(--soft) }
    img + b, span + b { margin-top: .6rem }
    b { font-weight: 600; overflow-wrap: anywhere }
    small { color: var(--soft); overflow-wrap: anywhere }
    dl, ol { margin: .4rem 0 0; font-size: .85rem; overflow-wrap: anywhere }
    ol { padding-left: 1.3rem }
    dt { color: var(--soft) }
    dd { margin: 0 0 .3rem .7rem }
    a + dl, a + ol { padding: 0 .7rem .7rem }
    """
}
