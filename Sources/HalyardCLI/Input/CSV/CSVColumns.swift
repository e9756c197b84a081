import Recipes

/// Where in a CSV record the link and the kept values stand.
struct CSVColumns {
  /// What the user said about columns.
  struct Wish: Hashable, Sendable {
    var link: String?
    var keep: [String] = []
  }

  private static let defaultNames = ["url", "link", "href"]

  let count: Int
  /// All columns of interest in ascending order; the places below are positions in this list.
  let wanted: [Int]
  let linkName: String
  let linkPlace: Int
  let kept: [(name: String, place: Int)]

  /// Finds the wished columns in a header; names are compared as written, then without regard to case.
  init(_ wish: Wish, header: [String], in source: String) throws(InputError) {
    let names = header.map { $0.trimmingSpaces() }
    let link = try Self.link(wish.link, names, source)
    var columns = [link]
    for name in wish.keep { columns.append(try Self.index(of: name, names, source)) }
    let wanted = Set(columns).sorted()
    let places = columns.compactMap { wanted.firstIndex(of: $0) }
    count = header.count
    self.wanted = wanted
    linkName = names[link]
    linkPlace = places[0]
    kept = zip(wish.keep, places.dropFirst()).map { ($0, $1) }
  }

  private static func link(
    _ wished: String?, _ names: [String], _ source: String
  ) throws(InputError) -> Int {
    if let wished { return try index(of: wished, names, source) }
    guard names.allSatisfy({ !$0.contains("://") }) else {
      throw InputError(
        source,
        "the first row holds a link where column names should stand; read it with --input-format lines"
          + " or put a row of names before it")
    }
    if names.count == 1 {
      guard !names[0].contains(where: { $0 == ";" || $0 == "\t" }) else {
        throw InputError(source, "the only column is named '\(names[0])'; cells must be separated by commas")
      }
      return 0
    }
    for name in defaultNames {
      if let index = names.firstIndex(where: { $0.lowercased() == name }) { return index }
    }
    throw InputError(source, "which column holds the links? say --column NAME; \(list(names))")
  }

  private static func index(
    of name: String, _ names: [String], _ source: String
  ) throws(InputError) -> Int {
    if let index = names.firstIndex(of: name) { return index }
    if let index = names.firstIndex(where: { $0.lowercased() == name.lowercased() }) { return index }
    let hint = Suggestion.closest(to: name, among: names).map { " — did you mean '\($0)'?" } ?? ";"
    throw InputError(source, "no column '\(name)'\(hint) \(list(names))")
  }

  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(20).map { Printable.quoted($0) }.joined(separator: ", ")
    return "the columns are \(shown)\(names.count > 20 ? ", …" : "")"
  }
}
