import Pipeline
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

  init(_ context: InputContext, name: String, wish: CSVColumns.Wish, _ dialect: CSVDialect) {
    (self.context, self.name, self.wish) = (context, name, wish)
    delimiter = dialect.delimiter
    reader = CSVReader(name: name, delimiter: dialect.delimiter)
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

  mutating func next() throws(InputError) -> InputJob? {
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

  private func job(_ record: CSVRecord, _ columns: CSVColumns) -> InputJob {
    let link = record.cells.count > columns.linkPlace ? record.cells[columns.linkPlace] : nil
    let line = record.line
    var job = context.job(
      linkedTo: link.map { record.bytes[$0.range] } ?? [], isTooLong: link?.isTooLong == true, line: line,
      place: "\(context.place(line: line)), column '\(columns.linkName)'")
    if hasEscapes(columns) { job.draft.input = job.draft.input.map(CSVDialect.unescaped) }
    if record.width > columns.count, !isWhole(job.draft.input, columns) {
      job.refuse(
        "\(context.place(line: line)) has \(record.width) cells and the header \(columns.count);"
          + " cells that hold the separator need quotes")
    }
    job.draft.kept = columns.kept.map { name, place in
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
