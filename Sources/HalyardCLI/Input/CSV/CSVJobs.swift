import Pipeline

/// A job per record of a table behind its row of names.
///
/// Kept values that are not UTF-8 are repaired with U+FFFD: they are only carried along.
struct CSVJobs: JobReader {
  private let name: String
  private let places: InputPlaces
  private let wish: CSVColumns.Wish
  private let delimiter: UInt8
  private var reader: CSVReader
  private var columns: CSVColumns?

  init(
    _ source: any ByteSource, name: String, places: InputPlaces, wish: CSVColumns.Wish,
    _ dialect: CSVDialect
  ) {
    (self.name, self.places, self.wish) = (name, places, wish)
    delimiter = dialect.delimiter
    reader = CSVReader(source, name: name, delimiter: dialect.delimiter)
  }

  mutating func next(mayWait: Bool) throws(InputError) -> NextItem<InputJob> {
    while true {
      switch try reader.next(mayWait: mayWait) {
      case .pending:
        return .pending
      case .end:
        guard columns != nil else { throw InputError(name, "there is no row of column names") }
        return .end
      case .item(let record):
        if let columns { return .item(draft(record, columns)) }
        try takeNames(record)
      }
    }
  }

  mutating func keptNames() throws(InputError) -> [String] {
    while columns == nil {
      switch try reader.next(mayWait: true) {
      case .pending: continue
      case .end: throw InputError(name, "there is no row of column names")
      case .item(let record): try takeNames(record)
      }
    }
    return columns?.kept.map(\.name) ?? []
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

  private func draft(_ record: CSVRecord, _ columns: CSVColumns) -> InputJob {
    let link = record.cells.count > columns.linkPlace ? record.cells[columns.linkPlace] : nil
    var draft = LinkText.draft(
      of: link.map { record.bytes[$0.range] } ?? [], isTooLong: link?.isTooLong == true, line: record.line,
      place: "\(places.line(record.line)), column '\(columns.linkName)'")
    if hasEscapes(columns), let url = draft.url { draft.url = CSVDialect.unescaped(url) }
    if draft.problem == nil, record.width > columns.count, !isWhole(draft.url, columns) {
      draft.problem = InputProblem(
        kind: .invalidInput,
        message: "\(places.line(record.line)) has \(record.width) cells and the header \(columns.count);"
          + " cells that hold the separator need quotes")
    }
    draft.kept = columns.kept.map { name, place in
      guard record.cells.count > place else { return KeptColumn(name, "") }
      let text = String(decoding: record.bytes[record.cells[place].range], as: UTF8.self)
      return KeptColumn(name, hasEscapes(columns) ? CSVDialect.unescaped(text) : text)
    }
    return draft
  }

  /// Whether the link of a record with too many cells is all there: a separator without quotes has cut another cell, unless
  /// the link's is the last one.
  private func isWhole(_ link: String?, _ columns: CSVColumns) -> Bool {
    columns.linkColumn < columns.count - 1 && link?.contains("://") == true
  }
}
