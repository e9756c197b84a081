extension DemoLink {
  static func all(base: String, deadEnd: String) -> [DemoLink] {
    redirectLinks(base) + titleLinks(base) + dataLinks(base) + brokenLinks(base, deadEnd: deadEnd)
  }

  private static func redirectLinks(_ base: String) -> [DemoLink] {
    [
      unfurl("\(base)/s/light", "a short link behind three redirects: 301, 302, 308"),
      unfurl("\(base)/s/relative", "a Location relative to the page before"),
      unfurl("\(base)/s/turning", "a page that leads on, then a Refresh header"),
      unfurl("\(base)/s/wall", "a redirect to itself that sets a cookie"),
      unfurl("\(base)/loop/port", "two pages that redirect to each other", "redirect_loop"),
      unfurl("\(base)/s/mail", "a redirect to a mail address", "unsupported_scheme"),
      unfurl("\(base)/s/nowhere", "a redirect that does not say where to", "missing_redirect_url"),
      unfurl(
        "\(base)/s/private", "a redirect into a private network, refused before dialling", "blocked_address"),
    ]
  }

  private static func titleLinks(_ base: String) -> [DemoLink] {
    [
      title("\(base)/pages/lighthouse", "a page with a link card", "The lighthouse keeper’s notes"),
      title(
        "\(base)/s/light", "title and card behind the short link, in one go", "The lighthouse keeper’s notes"),
      title("\(base)/pages/shift-jis", "Shift_JIS, told by the HTTP header", "日本語のページ"),
      title("\(base)/pages/windows-1251", "windows-1251, told by a meta tag", "Привет, море"),
      title("\(base)/pages/latin-1", "labelled ISO-8859-1, really windows-1252", "It’s a café"),
      title("\(base)/pages/gbk", "GBK under its older name", "中文网页"),
      title("\(base)/pages/entities", "a title full of entities", "Salt & Tar — café 🚢 <open>"),
      title("\(base)/pages/og-only", "a title only in the card", "Named only in its card"),
      embedding(
        "\(base)/pages/film", "an author that only its oEmbed endpoint tells", "A ship leaves the quay"),
      title("\(base)/pages/compressed", "a gzip-compressed page", "Unpacked at the quay"),
      title("\(base)/pages/slow", "a page that takes its time", "Worth the wait"),
    ]
  }

  private static func dataLinks(_ base: String) -> [DemoLink] {
    [
      decode("\(base)/api/users?page=1", "one value out of a list", select: "/data/0/email"),
      decode("\(base)/api/users/7", "a JSON document as a whole"),
      decode("\(base)/api/broken", "JSON that breaks off", "data_parsing_failed"),
      decode("\(base)/pages/lighthouse", "a page where JSON was expected", "data_parsing_failed"),
    ]
  }

  private static func brokenLinks(_ base: String, deadEnd: String) -> [DemoLink] {
    [
      failing("\(base)/pages/untitled", "a page without a title", "missing_page_title"),
      failing("\(base)/pages/gone", "a page that is not there", "http_status"),
      failing(deadEnd, "a port where nothing listens", "connect"),
      failing("not a url", "text that is not a link", "invalid_input"),
    ]
  }

  private static func unfurl(_ url: String, _ note: String, _ expected: String = "ok") -> DemoLink {
    DemoLink(url: url, kind: "unfurl", note: note, expected: expected)
  }

  private static func title(_ url: String, _ note: String, _ title: String) -> DemoLink {
    DemoLink(url: url, kind: "title", note: note, expected: "ok", title: title)
  }

  private static func embedding(_ url: String, _ note: String, _ title: String) -> DemoLink {
    var link = self.title(url, note, title)
    link.wantsEmbed = true
    return link
  }

  private static func failing(_ url: String, _ note: String, _ expected: String) -> DemoLink {
    DemoLink(url: url, kind: "title", note: note, expected: expected)
  }

  private static func decode(
    _ url: String, _ note: String, _ expected: String = "ok", select: String? = nil
  ) -> DemoLink {
    DemoLink(url: url, kind: "decode", note: note, select: select, expected: expected)
  }
}
