import JSONQuery
import LinkPreviews

/// What a run gathered, as sections of items: read from its value, whatever the recipe is about.
///
/// Sections are the elements of a member `sections`, each with a title and its items; else every member that is an array is
/// a section of that name, and an array alone is one without a title. What is nested in items, and members that are objects,
/// stand below as names and values.
struct GatheredPage {
  let value: JSONValue
  let title: String

  /// Deeper values are shown as JSON; of longer ones only the first elements.
  private static let (deepest, longest) = (6, 200)

  /// A whole page without scripts, which loads nothing but the items' own images.
  var html: String {
    let sections = sections
    return PageFrame.head(title: title, style: Self.style)
      + (sections.isEmpty
        ? "<p>Nothing was gathered that could be shown here.</p>" : sections.joined(separator: "\n"))
      + "\n</html>\n"
  }

  private var sections: [String] {
    if let found = value["sections"], found.kind == .array {
      return found.elements.map { section in
        let items = section.members.first { $0.value.kind == .array }?.value
        return Self.section(Self.text(of: section, ["title", "name", "id"]) ?? "", Self.items(of: items))
      }
    }
    if value.kind == .array { return [Self.section("", Self.items(of: value))] }
    return value.members.compactMap { name, member in
      switch member.kind {
      case .array: Self.section(name, Self.items(of: member))
      case .object: Self.section(name, Self.details(of: member, depth: 0))
      case .null, .bool, .number, .string: nil
      }
    }
  }

  private static func section(_ title: String, _ content: String) -> String {
    let heading = title.isEmpty ? "" : "<h2>\(Markup.escaped(title))</h2>\n"
    return "<section>\n\(heading)\(content)\n</section>"
  }

  private static func items(of array: JSONValue?) -> String {
    let items = array?.elements.map { $0 } ?? []
    guard !items.isEmpty else { return "<p>No items.</p>" }
    // Without any picture there is no column for them.
    let hasPictures = items.contains { image(of: $0) != nil }
    return "<ul>\n\(items.map { item($0, amongPictures: hasPictures) }.joined(separator: "\n"))\n</ul>"
  }

  private static func item(_ value: JSONValue, amongPictures: Bool) -> String {
    let people = [value["first_name"], value["last_name"]].compactMap { $0?.string }.joined(separator: " ")
    let name =
      text(of: value, ["name", "title"]) ?? (people.isEmpty ? nil : people)
      ?? text(of: value, ["email", "id"]) ?? shown(value) ?? "…"
    var content = ""
    if let image = image(of: value) {
      content =
        "<img src=\"\(Markup.escaped(image))\" alt=\"\" width=\"100\" height=\"100\" loading=\"lazy\">"
    } else if amongPictures {
      content = "<span aria-hidden=\"true\">\(Markup.escaped(String(name.prefix(1)).uppercased()))</span>"
    }
    content += "<b>\(Markup.escaped(name))</b>"
    if let detail = text(of: value, ["artistName", "author", "author_name", "email", "description"]) {
      content += "<small>\(Markup.escaped(detail))</small>"
    }
    let details = value.kind == .array ? details(of: value, depth: 0) : nested(in: value)
    let link = address(of: value, ["url", "link", "home_page", "html_url"])
    return link.map { "<li><a href=\"\(Markup.escaped($0))\">\(content)</a>\(details)</li>" }
      ?? "<li>\(content)\(details)</li>"
  }

  /// The members that have members or elements of their own.
  private static func nested(in value: JSONValue) -> String {
    let members = value.members.filter { $0.value.kind == .array || $0.value.kind == .object }
    return members.isEmpty ? "" : details(of: members, depth: 1)
  }

  /// A value with what is nested in it.
  private static func details(of value: JSONValue, depth: Int) -> String {
    switch value.kind {
    case .array where depth < deepest:
      var items = value.elements.prefix(longest).map { details(of: $0, depth: depth + 1) }
      if value.count > longest { items.append("… \(value.count - longest) more") }
      return "<ol>" + items.map { "<li>\($0)</li>" }.joined() + "</ol>"
    case .object where depth < deepest: return details(of: value.members, depth: depth + 1)
    case .null, .bool, .number, .string, .array, .object:
      return Markup.escaped(value.string ?? value.minified)
    }
  }

  private static func details(
    of members: some Sequence<(key: String, value: JSONValue)>, depth: Int
  ) -> String {
    let rows = members.prefix(longest).map { name, value in
      "<dt>\(Markup.escaped(name))</dt><dd>\(details(of: value, depth: depth))</dd>"
    }
    return "<dl>\(rows.joined())</dl>"
  }

  private static func text(of value: JSONValue, _ names: [String]) -> String? {
    names.lazy.compactMap { name in value[name].flatMap(shown) }.first { !$0.isEmpty }
  }

  private static func shown(_ value: JSONValue) -> String? { value.string ?? value.numberText }

  private static func image(of value: JSONValue) -> String? {
    address(of: value, ["artworkUrl100", "artwork", "image", "avatar", "thumbnail", "thumbnail_url", "icon"])
  }

  /// Only absolute addresses: a relative one has no base here.
  private static func address(of value: JSONValue, _ names: [String]) -> String? {
    names.lazy.compactMap { value[$0]?.string }.first(where: Markup.isWebAddress)
  }

  private static let style = """
    :root { color-scheme: light dark; --ink: #1c2733; --soft: #5b6b7b; --paper: #f6f7f9; --card: #fff; --line: #dde3ea }
    @media (prefers-color-scheme: dark) {
      :root { --ink: #e6ebf0; --soft: #9aa8b6; --paper: #14191f; --card: #1d242c; --line: #2c3641 }
    }
    body { margin: 0 auto; max-width: 72rem; padding: 2rem 1.25rem 4rem; background: var(--paper); color: var(--ink);
      font: 1rem/1.45 system-ui, sans-serif }
    h1 { font-size: 1.6rem; margin: 0 0 1.5rem }
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

/// What pages for people have in common: no scripts, one style, and nothing loaded but images.
enum PageFrame {
  /// A page as far as its first heading.
  ///
  /// - Parameter style: All of the page's rules.
  static func head(title: String, style: String) -> String {
    """
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="referrer" content="no-referrer">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src http: https:; style-src 'unsafe-inline'">
    <title>\(Markup.escaped(title))</title>
    <style>
    \(style)
    </style>
    <h1>\(Markup.escaped(title))</h1>

    """
  }
}

/// Rows as a page of link previews, drawn as the service draws them. Failures stand below the others, wherever their rows
/// came: the page's style moves them, so that rows can be written as they come.
struct PreviewEncoder: RowEncoder {
  func appendHeader(to output: inout [UInt8]) {
    let style = String(decoding: PreviewPages.style.bytes, as: UTF8.self)
    output += PageFrame.head(title: "Link previews", style: style + Self.order).utf8
    output += "<main>\n<h2>Failed</h2>\n".utf8
  }

  func append(_ row: [UInt8], to output: inout [UInt8]) throws(OutputError) {
    output += (PreviewCard(PreviewRow(row)).html + "\n").utf8
  }

  private static let order = """
    main { display: flex; flex-direction: column }
    main > h2 { display: none; order: 1; margin: 0 0 8px; font-size: 18px }
    main:has(.failed) > h2 { display: block }
    .failed { order: 2 }
    """
}
