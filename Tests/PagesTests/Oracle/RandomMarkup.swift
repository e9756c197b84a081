/// Pages made of what tokenizers stumble over.
///
/// What only a whole tree tells is left out: tables and selects move or drop what stands in them, and formatting
/// elements come back; see `OracleTests`.
enum RandomMarkup {
  private static let pieces = [
    "<title>", "</title>", "<title >", "</TITLE\n>", "<title/>", "</titles>", "</title", "<svg>", "</svg>",
    "<svg/>",
    "<math>", "</math>", "<mi>", "</mi>", "<desc>", "</desc>", "<foreignObject>", "</foreignObject>",
    "<annotation-xml>", "<annotation-xml encoding=text/html>", "</annotation-xml>", "<g>", "</g>",
    "<template>",
    "</template>", "<script>", "</script>", "<script ", "</script ", "<!--", "-->", "--!>", "--", "<!-->",
    "<!--->",
    "<![CDATA[", "]]>", "<style>", "</style>", "<textarea>", "</textarea>", "<noscript>", "</noscript>",
    "<xmp>",
    "</xmp>", "<iframe>", "</iframe>", "<p>", "<br>", "<div>",
    "<font size=1>", "<head>", "</head>", "<body>", "</body>", "<html lang=x>", "</html>",
    "<meta name=description content=",
    "<meta property='og:title' content='", "<meta content=\"", "\" name=og:type>",
    "<link rel=canonical href=",
    "<base href=", "'", "\"", "=", ">", "<", "/", "</", "<!", "<?", "</ ", "< ", "&amp;", "&amp", "&#146;",
    "&#x0;",
    "&notin;", "&notit;", "&", "a", "b c", "\n", "\t", "\r\n", "\u{A0}", "é", "\0", "-", "!", "<a b=c d='e'",
    "<a b", "<p/", "<span>", "</div>", "<mglyph>", "</mglyph>", "<svg desc>",
  ]

  static func page(_ random: inout Random) -> String {
    (0..<Int.random(in: 1...16, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
      .joined()
  }
}
