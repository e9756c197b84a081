import Pipeline

/// A job per CSV record behind the header row.
///
/// Kept values that are not UTF-8 are repaired with U+FFFD: they are only carried along. A record with more cells than
/// the header fails, because an unquoted comma has probably cut its link.
struct CSVJobs: JobReader {
  private let name: String
  private let wish: CSVColumns.Wish
  private var reader: CSVReader
  private var columns: CSVColumns?

  init(_ source: any ByteSource, name: String, wish: CSVColumns.Wish) {
    self.name = name
    self.wish = wish
    reader = CSVReader(source, name: name)
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
        let header = record.cells.map { String(decoding: record.bytes[$0.range], as: UTF8.self) }
        let found = try CSVColumns(wish, header: header, in: name)
        reader.wanted = found.wanted
        columns = found
      }
    }
  }

  private func draft(_ record: CSVRecord, _ columns: CSVColumns) -> InputJob {
    let link = record.cells.count > columns.linkPlace ? record.cells[columns.linkPlace] : nil
    var draft = LinkText.draft(
      of: link.map { record.bytes[$0.range] } ?? [], isTooLong: link?.isTooLong == true, line: record.line,
      place: "line \(record.line), column '\(columns.linkName)'")
    if draft.problem == nil, record.width > columns.count {
      draft.problem = InputProblem(
        kind: .invalidInput,
        message: "line \(record.line) has \(record.width) cells and the header \(columns.count);"
          + " cells with commas need quotes")
    }
    draft.kept = columns.kept.map { name, place in
      guard record.cells.count > place else { return KeptColumn(name, "") }
      return KeptColumn(
        name, String(decoding: record.bytes[record.cells[place].range], as: UTF8.self))
    }
    return draft
  }
}
