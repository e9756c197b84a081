import HTTPMessages

/// The pages in UTF-8, and the compressed one.
func page(at path: String) -> Response? {
  switch path {
  case "/": .page("<!doctype html><title>Halyard demo site</title><p>Run: halyard demo")
  case "/pages/lighthouse": .page(lighthouse)
  case "/pages/entities":
    .page("<!doctype html><title>Salt &amp; Tar &mdash; caf&eacute; &#x1F6A2; &lt;open&gt;</title>")
  case "/pages/og-only":
    .page(#"<!doctype html><meta property="og:title" content="Named only in its card"><p>Hello"#)
  case "/pages/film": .page(film)
  case "/pages/untitled": .page("<!doctype html><title> </title><p>A page that does not say what it is.")
  case slowPage: .page("<!doctype html><title>Worth the wait</title>")
  case "/pages/compressed": compressed
  default: foreignPage(at: path)
  }
}

/// Its answer takes its time.
let slowPage = "/pages/slow"

private var compressed: Response {
  var response = Response.page("")
  response.head.add("Content-Encoding", "gzip")
  response.body = gzipStored(Array("<!doctype html><title>Unpacked at the quay</title>".utf8))
  return response
}

private let lighthouse = """
  <!doctype html>
  <html lang="en">
  <head>
    <meta charset="utf-8">
    <title>The lighthouse keeper’s notes</title>
    <meta name="description" content="Weather, ships and lamp oil, day by day.">
    <meta property="og:title" content="Notes from the lighthouse">
    <meta property="og:description" content="A log of weather, ships and lamp oil.">
    <meta property="og:image" content="/images/lamp.png">
    <meta property="og:site_name" content="Halyard demo">
    <meta property="og:type" content="article">
    <meta name="author" content="The keeper">
    <link rel="canonical" href="/pages/lighthouse">
    <link rel="icon" href="/images/icon.png">
  </head>
  <body><h1>Notes</h1><p>Wind from the west.</p></body>
  </html>
  """

private let film = """
  <!doctype html>
  <title>A ship leaves the quay</title>
  <link rel="alternate" type="application/json+oembed" href="/api/oembed?url=/pages/film">
  """
