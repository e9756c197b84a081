import HTTPMessages

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
