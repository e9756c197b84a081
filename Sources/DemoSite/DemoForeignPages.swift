import HTTPMessages

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
