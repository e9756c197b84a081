import LinkPreviews

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
