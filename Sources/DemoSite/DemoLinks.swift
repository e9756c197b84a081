import HTTPMessages

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
      title(
        "\(base)/pages/film", "an author that only its oEmbed endpoint tells", "A ship leaves the quay",
        embeds: true),
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
      title("\(base)/pages/untitled", "a page without a title", failing: "missing_page_title"),
      title("\(base)/pages/gone", "a page that is not there", failing: "http_status"),
      title(deadEnd, "a port where nothing listens", failing: "connect"),
      title("not a url", "text that is not a link", failing: "invalid_input"),
    ]
  }

  private static func unfurl(_ url: String, _ note: String, _ expected: String = "ok") -> DemoLink {
    DemoLink(url: url, kind: "unfurl", note: note, expected: expected)
  }

  private static func title(
    _ url: String, _ note: String, _ title: String? = nil, embeds: Bool = false, failing: String? = nil
  ) -> DemoLink {
    DemoLink(
      url: url, kind: "title", note: note, wantsEmbed: embeds, expected: failing ?? "ok", title: title)
  }

  private static func decode(
    _ url: String, _ note: String, _ expected: String = "ok", select: String? = nil
  ) -> DemoLink {
    DemoLink(url: url, kind: "decode", note: note, select: select, expected: expected)
  }
}

/// One link of the demo: what to do with it and what is to come of it.
package struct DemoLink: Hashable, Sendable {
  /// The link as a user would give it.
  package var url: String
  /// The kind of the job: `unfurl`, `title` or `decode`.
  package var kind: String
  /// What the link shows, in a few words.
  package var note: String
  /// The JSON pointer of a `decode`, where only a part is wanted.
  package var select: String?
  /// The page's oEmbed endpoint is asked too.
  package var wantsEmbed = false
  /// `ok` or the kind of the failure.
  package var expected: String
  /// The title to be found, for links that are about titles.
  package var title: String?
}

/// The addresses that lead elsewhere, well or badly.
func redirects(_ request: RequestHead) -> Response? {
  let base = "http://\(request["host"] ?? "127.0.0.1")"
  return switch request.path {
  case "/s/light": .redirect(301, to: "\(base)/moved/harbour")
  case "/moved/harbour": .redirect(302, to: "\(base)/moved/pier")
  case "/moved/pier": .redirect(308, to: "\(base)/pages/lighthouse")
  case "/s/relative": .redirect(302, to: "../pages/lighthouse?from=relative#lamp")
  case "/loop/port": .redirect(302, to: "/loop/starboard")
  case "/loop/starboard": .redirect(302, to: "/loop/port")
  case "/s/mail": .redirect(302, to: "mailto:keeper@example.org")
  case "/s/nowhere": .redirect(302, to: nil)
  case "/s/turning":
    .page("<!doctype html><title>Turning</title><meta http-equiv=refresh content='0; url=/s/refreshed#lamp'>")
  case "/s/refreshed": refreshed
  case "/s/wall": cookieWall(request)
  case "/s/private": .redirect(302, to: "http://10.0.0.1/")
  default: nil
  }
}

private var refreshed: Response {
  var response = Response(ResponseHead(200))
  response.head.add("Refresh", "1; url='/pages/lighthouse'")
  return response
}

/// Redirects to itself until the client sends the cookie that it sets.
private func cookieWall(_ request: RequestHead) -> Response {
  if request["cookie"] == "seen=1" { return .redirect(302, to: "/pages/lighthouse") }
  var response = Response.redirect(302, to: "/s/wall")
  response.head.add("Set-Cookie", "seen=1; Path=/s/")
  return response
}

/// Pages that are not in UTF-8, each telling its charset in another way.
func foreignPage(at path: String) -> Response? {
  switch path {
  // 日本語のページ, told by the HTTP header.
  case "/pages/shift-jis":
    foreignPage(
      contentType: "text/html; charset=Shift_JIS", head: "",
      title: [0x93, 0xFA, 0x96, 0x7B, 0x8C, 0xEA, 0x82, 0xCC, 0x83, 0x79, 0x81, 0x5B, 0x83, 0x57])
  // Привет, море, told by a meta charset.
  case "/pages/windows-1251":
    foreignPage(
      contentType: "text/html", head: "<meta charset=windows-1251>",
      title: [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2, 0x2C, 0x20, 0xEC, 0xEE, 0xF0, 0xE5])
  // It’s a café, the label says ISO-8859-1, the curly quote is windows-1252.
  case "/pages/latin-1":
    foreignPage(
      contentType: "text/html; charset=ISO-8859-1", head: "",
      title: [0x49, 0x74, 0x92, 0x73, 0x20, 0x61, 0x20, 0x63, 0x61, 0x66, 0xE9])
  // 中文网页, told by http-equiv under its older name.
  case "/pages/gbk":
    foreignPage(
      contentType: "text/html", head: #"<meta http-equiv=Content-Type content="text/html; charset=gb2312">"#,
      title: [0xD6, 0xD0, 0xCE, 0xC4, 0xCD, 0xF8, 0xD2, 0xB3])
  default: nil
  }
}

private func foreignPage(contentType: StaticString, head: String, title: [UInt8]) -> Response {
  let html = Array("<!doctype html>\(head)<title>".utf8) + title + Array("</title>".utf8)
  return .page(html, contentType: contentType)
}
