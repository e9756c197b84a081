import Compression
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

/// A JSON API in pages of six, with a home page for each person so that calls can be chained.
func people(_ request: RequestHead) -> Response? {
  let host = request["host"] ?? "127.0.0.1"
  switch request.path {
  case "/api/users":
    return .json(listing(page: request.query("page").flatMap { Int($0) } ?? 1, host: host))
  case "/api/oembed":
    return .json(
      #"{"version":"1.0","type":"video","title":"A ship leaves","author_name":"Ada Anchor","#
        + #""provider_name":"Halyard demo","thumbnail_url":"http://\#(host)/images/ship.png"}"#)
  case "/api/broken":
    return .json(#"{"data": [1, 2}"#)
  default:
    if let person = person(in: request.path, under: "/api/users/") {
      return .json(#"{"data":\#(person.json(host: host))}"#)
    }
    if let person = person(in: request.path, under: "/people/") {
      return .page("<!doctype html><title>\(person.firstName) \(person.lastName)</title>")
    }
    return request.path.hasPrefix("/api/") ? .json("{}", status: 404) : nil
  }
}

private struct Person {
  var id: Int
  var firstName: String
  var lastName: String

  func json(host: String) -> String {
    #"{"id":\#(id),"email":"\#(firstName.lowercased())@example.org","first_name":"\#(firstName)","#
      + #""last_name":"\#(lastName)","home_page":"http://\#(host)/people/\#(id)"}"#
  }
}

private let crew: [Person] = [
  ("Ada", "Anchor"), ("Bo", "Bowline"), ("Cleo", "Capstan"), ("Dov", "Davit"), ("Edda", "Ensign"),
  ("Finn", "Fairlead"), ("Gro", "Gangway"), ("Hal", "Hawser"), ("Ines", "Islet"), ("Jon", "Jib"),
  ("Kaja", "Keel"), ("Leif", "Lanyard"),
].enumerated().map { Person(id: $0 + 1, firstName: $1.0, lastName: $1.1) }

private func person(in path: String, under folder: String) -> Person? {
  guard path.hasPrefix(folder), let id = Int(path.dropFirst(folder.count)) else { return nil }
  return crew.first { $0.id == id }
}

private func listing(page: Int, host: String) -> String {
  let perPage = 6
  let pages = stride(from: 0, to: crew.count, by: perPage).map { crew[$0..<min($0 + perPage, crew.count)] }
  // Any other page is an empty one, as with most such APIs.
  let shown = (1...pages.count).contains(page) ? pages[page - 1] : []
  let data = shown.map { $0.json(host: host) }.joined(separator: ",")
  return
    #"{"page":\#(page),"per_page":\#(perPage),"total":\#(crew.count),"total_pages":\#(pages.count),"data":[\#(data)]}"#
}

/// The pictures that pages and cards name: a lighthouse at night, as PNG.
func picture(at path: String) -> Response? {
  switch path {
  case "/images/lamp.png", "/images/ship.png":
    .page(lighthousePicture(width: 600, height: 315), contentType: "image/png")
  case "/images/icon.png": .page(lighthousePicture(width: 64, height: 64), contentType: "image/png")
  default: nil
  }
}

/// Two bits a pixel: sky, sea, walls, light.
private func lighthousePicture(width: Int, height: Int) -> [UInt8] {
  var rows: [UInt8] = []
  for y in 0..<height {
    // Each line begins with its filter: none.
    rows.append(0)
    for start in stride(from: 0, to: width, by: 4) {
      rows.append((0..<4).reduce(0) { $0 << 2 | colour(at: start + $1, y, width, height) })
    }
  }
  let size = bigEndian(UInt32(width)) + bigEndian(UInt32(height))
  return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    + chunk("IHDR", size + [2, 3, 0, 0, 0])
    + chunk("PLTE", [16, 42, 67, 11, 27, 43, 233, 238, 242, 255, 209, 102])
    + chunk("IDAT", zlibStored(rows))
    + chunk("IEND", [])
}

/// In hundredths of the height, from the middle of the tower's foot.
private func colour(at x: Int, _ y: Int, _ width: Int, _ height: Int) -> UInt8 {
  let right = (x - width / 2) * 100 / height
  let up = 90 - y * 100 / height
  switch up {
  case ..<0: return 1
  case ...50 where abs(right) <= 10 - up / 12: return up / 10 % 2 == 0 ? 2 : 1
  case 51...60 where abs(right) <= 5: return 3
  case 61...66 where abs(right) <= 66 - up: return 2
  default: return abs(up - 56) * 4 <= abs(right) && abs(right) > 5 ? 3 : 0
  }
}

private func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
  let named = Array(name.utf8) + bytes
  return bigEndian(UInt32(bytes.count)) + named + bigEndian(crc32(named.span))
}

/// Fewer than 65,536 bytes in one stored block (RFC 1950).
private func zlibStored(_ bytes: [UInt8]) -> [UInt8] {
  var (low, high) = (UInt32(1), UInt32(0))
  for byte in bytes {
    low = (low + UInt32(byte)) % 65_521
    high = (high + low) % 65_521
  }
  return [0x78, 0x01] + storedBlock(bytes) + bigEndian(high << 16 | low)
}

private func bigEndian(_ number: UInt32) -> [UInt8] { littleEndian(number.byteSwapped) }

/// Eight feeds of six entries each, with artwork: what `halyard run feeds` gathers.
func feeds(_ request: RequestHead) -> Response? {
  if let category = Category(in: request.path, under: "/api/feeds/") {
    let limit = request.query("limit").flatMap { Int($0) } ?? entries.count
    return .json(category.listing(limit: limit))
  }
  guard request.path.hasPrefix("/artwork/") else { return nil }
  let name = request.path.dropFirst("/artwork/".count)
  guard let category = Category(in: "/" + name.prefix { $0 != "-" }, under: "/") else { return nil }
  return .page(Array(category.artwork(String(name)).utf8), contentType: "image/svg+xml")
}

private struct Category {
  private static let all = [
    ("apps", "Top Apps"), ("books", "Top Books"), ("music", "Top Albums"), ("movies", "Top Movies"),
    ("tv", "Top TV Shows"), ("podcasts", "Top Podcasts"), ("games", "Top Games"), ("news", "Top News"),
  ]

  let place: Int
  let id: String
  let title: String

  init?(in path: String, under folder: String) {
    guard path.hasPrefix(folder) else { return nil }
    let id = path.dropFirst(folder.count)
    guard let place = Self.all.firstIndex(where: { $0.0 == id }) else { return nil }
    (self.place, self.id, title) = (place, Self.all[place].0, Self.all[place].1)
  }

  /// As others, it sends more than was asked for: the limit and one.
  func listing(limit: Int) -> String {
    let results = entries.prefix(max(limit, 0) + 1).enumerated().map { number, entry in
      #"{"id":"\#(id)-\#(number + 1)","name":"\#(entry.name)","artistName":"\#(entry.artist)","#
        + #""artworkUrl100":"/artwork/\#(id)-\#(number + 1)","url":"/pages/\#(id)/\#(number + 1)"}"#
    }
    return #"{"feed":{"title":"\#(title)","results":[\#(results.joined(separator: ","))]}}"#
  }

  func artwork(_ name: String) -> String {
    let hue = place * 45 + (name.last?.wholeNumberValue ?? 0) * 9
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">\
      <rect width="100" height="100" fill="hsl(\(hue),45%,38%)"/>\
      <path d="M15 68h70l-9 14H24zM48 18v44H22zM54 28l22 34H54z" fill="#fff" opacity=".9"/></svg>
      """
  }
}

private let entries: [(name: String, artist: String)] = [
  ("The Long Reach", "Ada Anchor"), ("Under Full Sail", "Bo Bowline"), ("Harbour Lights", "Cleo Capstan"),
  ("A Fair Wind", "Dov Davit"), ("Knots and Splices", "Edda Ensign"), ("Home Port", "Finn Fairlead"),
]
