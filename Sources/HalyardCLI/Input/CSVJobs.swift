import Pipeline
import Recipes
import Roles

/// A job per record of a table behind its row of names.
///
/// Kept values that are not UTF-8 are repaired with U+FFFD: they are only carried along.
struct CSVJobs: JobReader {
  private let name: String
  private let context: InputContext
  private let wish: CSVColumns.Wish
  private let delimiter: UInt8
  private var reader: CSVReader
  private var columns: CSVColumns?

  init(_ context: InputContext, name: String, wish: CSVColumns.Wish, delimiter: UInt8) {
    (self.context, self.name, self.wish, self.delimiter) = (context, name, wish, delimiter)
    reader = CSVReader(name: name, delimiter: delimiter)
  }

  var keptNames: [String]? { columns?.kept.map(\.name) }

  mutating func take(_ chunk: [UInt8]?) throws(InputError) {
    reader.take(chunk)
    guard columns == nil else { return }
    if let record = try reader.next() {
      try takeNames(record)
    } else if chunk == nil {
      throw InputError(name, "there is no row of column names")
    }
  }

  mutating func next() throws(InputError) -> JobDraft? {
    guard let columns else { return nil }
    return try reader.next().map { job($0, columns) }
  }

  private mutating func takeNames(_ record: CSVRecord) throws(InputError) {
    let header = record.cells.map { String(decoding: record.bytes[$0.range], as: UTF8.self) }
    let found = try CSVColumns(wish, header: header, in: name)
    reader.wanted = found.wanted
    reader.hasQuotes = !hasEscapes(found)
    columns = found
  }

  /// Halyard's own TSV has escapes where others have quotes.
  private func hasEscapes(_ columns: CSVColumns) -> Bool { columns.isOwn && delimiter == CSVDialect.tab }

  private func job(_ record: CSVRecord, _ columns: CSVColumns) -> JobDraft {
    let link = record.cells.count > columns.linkPlace ? record.cells[columns.linkPlace] : nil
    let line = record.line
    var job = context.job(
      linkedTo: link.map { record.bytes[$0.range] } ?? [], isTooLong: link?.isTooLong == true, line: line,
      place: "\(context.place(line: line)), column '\(columns.linkName)'")
    if hasEscapes(columns) { job.input = job.input.map(CSVDialect.unescaped) }
    if record.width > columns.count, !isWhole(job.input, columns) {
      job.refuse(
        "\(context.place(line: line)) has \(record.width) cells and the header \(columns.count);"
          + " cells that hold the separator need quotes")
    }
    job.kept = columns.kept.map { name, place in
      guard record.cells.count > place else { return KeptColumn(name, "") }
      let text = String(decoding: record.bytes[record.cells[place].range], as: UTF8.self)
      return KeptColumn(name, hasEscapes(columns) ? CSVDialect.unescaped(text) : text)
    }
    return job
  }

  /// Whether the link of a record with too many cells is all there: a separator without quotes has cut another cell, unless
  /// the link's is the last one.
  private func isWhole(_ link: String?, _ columns: CSVColumns) -> Bool {
    columns.linkColumn < columns.count - 1 && link?.contains("://") == true
  }
}

/// Where in a CSV record the link and the kept values stand.
struct CSVColumns {
  /// What the user said about columns.
  struct Wish: Hashable, Sendable {
    var link: String?
    var keep: [String] = []

    /// The word that stands for all columns but the link's.
    static let all = "all"

    var keepsAll: Bool { keep == [Self.all] }
  }

  private static let linkNames = ["url", "link", "href"]
  /// The link in a row of Halyard's own, where `url` is what it led to.
  private static let ownLinkName = "input"
  /// Begins the names of kept columns that are named as members of a row are.
  private static let keptRoot = "kept"

  let count: Int
  /// All columns of interest in ascending order; the places below are positions in this list.
  let wanted: [Int]
  let linkColumn: Int
  let linkName: String
  let linkPlace: Int
  let kept: [(name: String, place: Int)]
  /// The table is one that Halyard wrote.
  let isOwn: Bool

  /// Finds the wished columns in a header; names are compared as written, then without regard to case.
  init(_ wish: Wish, header: [String], in source: String) throws(InputError) {
    let names = header.map { $0.trimmingSpaces() }
    isOwn = Self.areOwn(names)
    linkColumn = try Self.link(wish.link, names, source)
    linkName = names[linkColumn]
    var columns = [linkColumn]
    let all = wish.keepsAll ? try Self.allNames(names, but: linkColumn, source) : []
    let keep = wish.keepsAll ? isOwn ? all.filter { !Self.isMember($0) } : all : wish.keep
    for name in keep { columns.append(try Self.index(of: name, names, source)) }
    let wanted = Set(columns).sorted()
    let places = columns.compactMap { wanted.firstIndex(of: $0) }
    count = header.count
    self.wanted = wanted
    linkPlace = places[0]
    let isOwn = isOwn
    kept = zip(keep, places.dropFirst()).map { (isOwn ? Self.nameBefore($0) : $0, $1) }
  }

  /// Whether a line is a row of names, one of which is a usual one for links.
  static func areNames(_ line: ArraySlice<UInt8>) -> Bool {
    let quotes = UInt8(ascii: "\"")
    let cells = line.split(separator: CSVDialect.mostFrequent(in: line), omittingEmptySubsequences: false)
    guard let text = String(validating: line, as: UTF8.self), !text.contains("://") else { return false }
    let names = cells.map { cell in
      let isQuoted = cell.count > 1 && cell.first == quotes && cell.last == quotes
      return String(decoding: isQuoted ? cell.dropFirst().dropLast() : cell, as: UTF8.self)
        .trimmingSpaces().lowercased()
    }
    return names.contains { linkNames.contains($0) || $0 == ownLinkName }
  }

  /// Whether a column of a table that Halyard wrote is about what was found.
  private static func isMember(_ name: String) -> Bool {
    let root = String(name.prefix { $0 != "." })
    return root != keptRoot && RowField.members.contains(root)
  }

  /// The name that a kept column had before Halyard wrote the table.
  private static func nameBefore(_ name: String) -> String {
    name.hasPrefix("\(keptRoot).") ? String(name.dropFirst(keptRoot.utf8.count + 1)) : name
  }

  /// Rows have the link they are of, and more.
  private static func areOwn(_ names: [String]) -> Bool {
    names.contains(ownLinkName)
      && names.allSatisfy { !linkNames.dropFirst().contains($0.lowercased()) }
      && (names.count == 1 || names.contains { $0 != ownLinkName && RowField.members.contains($0) })
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
    if names.count == 1 { return 0 }
    for name in areOwn(names) ? [ownLinkName] : linkNames + [ownLinkName] {
      if let index = names.firstIndex(where: { $0.lowercased() == name }) {
        try refuse(twins: names[index], names, source)
        return index
      }
    }
    throw InputError(source, "which column holds the links? say --column NAME; \(list(names))")
  }

  private static func allNames(
    _ names: [String], but link: Int, _ source: String
  ) throws(InputError) -> [String] {
    let others = names.indices.filter { $0 != link && !names[$0].isEmpty }.map { names[$0] }
    for name in others { try refuse(twins: name, names, source) }
    return others
  }

  private static func index(
    of name: String, _ names: [String], _ source: String
  ) throws(InputError) -> Int {
    if let index = names.firstIndex(of: name) {
      try refuse(twins: name, names, source)
      return index
    }
    let folded = names.indices.filter { names[$0].lowercased() == name.lowercased() }
    if folded.count > 1 { throw InputError(source, twins(folded, name)) }
    if let index = folded.first { return index }
    let hint = Suggestion.closest(to: name, among: names).map { " — did you mean '\($0)'?" } ?? ";"
    throw InputError(source, "no column '\(name)'\(hint) \(list(names))")
  }

  /// Nothing tells which of two columns with one name is meant.
  private static func refuse(twins name: String, _ names: [String], _ source: String) throws(InputError) {
    let twins = names.indices.filter { names[$0] == name }
    if twins.count > 1 { throw InputError(source, Self.twins(twins, name)) }
  }

  private static func twins(_ columns: [Int], _ name: String) -> String {
    let numbers = columns.prefix(2).map { "\($0 + 1)" }.joined(separator: " and ")
    return "columns \(numbers) are both named \(Printable.quoted(name)); rename one of them"
  }

  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(20).map { Printable.quoted($0) }.joined(separator: ", ")
    return "the columns are \(shown)\(names.count > 20 ? ", …" : "")"
  }
}
