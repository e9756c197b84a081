internal import JSONQuery
import Pages

/// One output format: appends the text of rows to a buffer.
protocol RowEncoder {
  /// What stands before the first row.
  func appendHeader(to output: inout [UInt8])
  /// `row` is one JSON object in UTF-8 on one line.
  func append(_ row: [UInt8], to output: inout [UInt8]) throws(OutputError)
}

extension RowEncoder {
  func appendHeader(to output: inout [UInt8]) {}
}

extension JSONValue {
  /// Reads a row where single members of it are needed.
  init(row: [UInt8]) throws(OutputError) {
    do {
      self = try JSONDocument(parsing: row, limits: .around).root
    } catch {
      throw .malformedRow(error.message)
    }
  }
}

/// Rows as they are, a line each.
struct WholeRowEncoder: RowEncoder {
  func append(_ row: [UInt8], to output: inout [UInt8]) {
    output += row
    output.append(UInt8(ascii: "\n"))
  }
}

/// A flat object per row, its members named by their dotted paths in the order asked for; null where absent.
struct SelectedMembersEncoder: RowEncoder {
  let fields: [RowField]

  func append(_ row: [UInt8], to output: inout [UInt8]) throws(OutputError) {
    let row = try JSONValue(row: row)
    var writer = JSONWriter()
    swap(&writer.bytes, &output)
    writer.beginObject()
    for field in fields {
      writer.key(field.name)
      if let value = field.value(in: row) { writer.value(value) } else { writer.null() }
    }
    writer.endObject()
    writer.endLine()
    swap(&writer.bytes, &output)
  }
}

enum OutputFormat: String, CaseIterable, Sendable {
  case jsonl
  case csv
  case tsv
  case table
}

enum OutputError: Error, Hashable, Sendable {
  /// The reader closed the pipe; nothing more can be written.
  case brokenPipe
  /// The target's name and the system's words.
  case failed(String, String)
  /// A row that is no JSON object reached the writer, which is our own fault.
  case malformedRow(String)

  /// What goes to standard error, with its newline; nothing for a reader that left.
  var rendered: String {
    switch self {
    case .brokenPipe: ""
    case .failed(let target, let words): "halyard: \(Printable.text(target)): \(words)\n"
    case .malformedRow(let words): "halyard: a row is malformed: \(words)\n"
    }
  }
}

/// What was found, and nothing around it: text without quotes, all else as JSON, a line each.
struct RawValueEncoder: RowEncoder {
  func append(_ row: [UInt8], to output: inout [UInt8]) throws(OutputError) {
    let row = try JSONValue(row: row)
    guard row["status"]?.string == "ok", let value = row["value"] else { return }
    if let text = value.string {
      output += text.utf8
    } else {
      value.writeMinified(into: &output)
    }
    output.append(UInt8(ascii: "\n"))
  }

  /// A line about a job that has no value.
  static func complaint(_ row: [UInt8]) -> String? {
    guard let row = try? JSONDocument(parsing: row, limits: .around).root, let error = row["error"] else {
      return nil
    }
    let link = row["input"]?.string ?? "no link"
    let words = [link, error["kind"]?.string, error["message"]?.string].compactMap(\.self)
    return "halyard: \(Printable.text(words.joined(separator: ": ")))\n"
  }
}

/// A column of a table or of separated values.
struct RowColumn: Hashable, Sendable {
  var heading: String
  var field: RowField
}

/// Comma- or tab-separated values with a heading row; lines end in LF.
struct DelimitedEncoder: RowEncoder {
  enum Style: Sendable {
    /// RFC 4180: cells with commas, quotes or line breaks are quoted.
    case commas
    /// Tab, line feed, carriage return and backslash inside a cell are written `\t`, `\n`, `\r` and `\\`.
    case tabs
  }

  let style: Style
  let columns: [RowColumn]
  /// Cells go to a terminal.
  var isScreen = false
  /// Cells that a spreadsheet would take for formulas begin with an apostrophe.
  var defusesFormulas = false

  func appendHeader(to output: inout [UInt8]) {
    appendLine(columns.map(\.heading), to: &output)
  }

  func append(_ row: [UInt8], to output: inout [UInt8]) throws(OutputError) {
    let row = try JSONValue(row: row)
    appendLine(columns.map { $0.field.text(in: row) }, to: &output)
  }

  private func appendLine(_ cells: [String], to output: inout [UInt8]) {
    var isFirst = true
    for cell in cells {
      if !isFirst { output.append(UInt8(ascii: style == .commas ? "," : "\t")) }
      isFirst = false
      let cell = prepared(cell)
      switch style {
      case .commas: appendQuoted(cell, isAlone: cells.count == 1, to: &output)
      case .tabs: appendEscaped(cell, to: &output)
      }
    }
    output.append(UInt8(ascii: "\n"))
  }

  private func prepared(_ cell: String) -> String {
    let cell = defusesFormulas ? Self.defused(cell) : cell
    return isScreen ? Printable.text(cell) : cell
  }

  /// A spreadsheet may split at semicolons and tabs too, and then a line break may begin a row: the part behind is a cell,
  /// perhaps in quotes.
  private static func defused(_ cell: String) -> String {
    let bytes = Array(cell.utf8)
    var output: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      if index == 0 || endsCell(bytes[index - 1]), beginsLikeFormula(bytes[index...]) {
        output.append(UInt8(ascii: "'"))
      }
      output.append(byte)
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func endsCell(_ byte: UInt8) -> Bool { ";\t\n\r".utf8.contains(byte) }

  /// What makes spreadsheets calculate a cell, or would after they trimmed it.
  private static func beginsLikeFormula(_ cell: ArraySlice<UInt8>) -> Bool {
    let first = cell.first { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: " ") }
    return first.map { "=+-@\t\r".utf8.contains($0) } ?? false
  }

  /// A lone empty cell gets quotes, because readers skip empty lines.
  private func appendQuoted(_ cell: String, isAlone: Bool, to output: inout [UInt8]) {
    let needsQuotes = cell.utf8.contains { byte in
      switch byte {
      case UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r"): true
      default: false
      }
    }
    guard needsQuotes || (isAlone && cell.isEmpty) else {
      output += cell.utf8
      return
    }
    output.append(UInt8(ascii: "\""))
    for byte in cell.utf8 {
      if byte == UInt8(ascii: "\"") { output.append(byte) }
      output.append(byte)
    }
    output.append(UInt8(ascii: "\""))
  }

  private func appendEscaped(_ cell: String, to output: inout [UInt8]) {
    for byte in cell.utf8 {
      switch byte {
      case UInt8(ascii: "\t"): output += [UInt8(ascii: "\\"), UInt8(ascii: "t")]
      case UInt8(ascii: "\n"): output += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
      case UInt8(ascii: "\r"): output += [UInt8(ascii: "\\"), UInt8(ascii: "r")]
      case UInt8(ascii: "\\"): output += [UInt8(ascii: "\\"), UInt8(ascii: "\\")]
      default: output.append(byte)
      }
    }
  }
}

/// A member of a row, named by its dotted path.
struct RowField: Hashable, Sendable {
  /// The members a row can have; `kept` has more, which the user names, and `steps` has what a recipe names.
  static let members: [String] = [
    [
      "schema", "id", "ref", "batch", "ordinal", "kind", "input", "status", "url", "http_status",
      "content_type", "truncated", "charset", "hops", "fetched_at",
    ],
    ["length", "file_name"], object("refresh", ["seconds", "url"]), ["title", "title_source"],
    cardFields.map { "card.\($0)" }, object("card.embed", embedFields),
    object("card.sources", CardField.allCases.map(\.rawValue)),
    object("card.embed_error", ["kind", "message"]), ["card", "value"],
    ["warnings", "steps"], object("trace", ["aggregator", "fetcher", "decoder"]),
    object("error", ["kind", "stage", "message", "retryable", "given_up", "refused_address"]),
    ["attempts", "ms"],
    ["cached", "age", "revalidated", "kept"], object("origin", ["file", "line", "column", "text"]),
  ].flatMap { $0 }

  private static let cardFields = CardField.allCases.map(\.rawValue).filter { $0 != "embed" }
  private static let embedFields = EmbedField.allCases.map(\.rawValue)

  private static func object(_ name: String, _ members: [String]) -> [String] {
    members.map { "\(name).\($0)" } + [name]
  }

  /// Members whose own members and elements the document behind a link names, or which are lists.
  private static let open: Set = ["value", "hops", "steps", "warnings"]

  /// Whether rows can have a member of that name, such as `value.items.0.name`.
  static func canExist(_ name: String) -> Bool {
    if members.contains(name) { return true }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard let first = parts.first, !parts.contains("") else { return false }
    // Of cards only lists have further parts.
    if first == "card" { return parts.count > 2 && members.contains(parts.prefix(2).joined(separator: ".")) }
    return open.contains(String(first))
  }

  private static let keptPrefix = "kept."

  /// As the user writes it, and as headings show it.
  let name: String
  let path: [String]

  /// Takes the name as it is; unknown ones are simply absent from every row.
  init(_ name: String) {
    self.name = name
    path =
      if let column = Self.keptColumn(name) {
        ["kept", column]
      } else {
        name.split(separator: ".").map(String.init)
      }
  }

  /// The column behind `kept.`, which may contain dots itself.
  static func keptColumn(_ name: String) -> String? {
    name.hasPrefix(keptPrefix) ? String(name.dropFirst(keptPrefix.count)) : nil
  }

  /// The member's value; nil when the row lacks it, or has null there.
  func value(in row: JSONValue) -> JSONValue? {
    var value = row
    for name in path {
      guard let member = value[name] ?? Self.element(named: name, of: value) else { return nil }
      value = member
    }
    return value.isNull ? nil : value
  }

  private static func element(named name: String, of value: JSONValue) -> JSONValue? {
    guard value.kind == .array, let index = Int(name), index >= 0 else { return nil }
    return value.elements.dropFirst(index).first { _ in true }
  }

  /// The member as text for a cell: strings bare, numbers as written, the rest as compact JSON; empty when absent.
  func text(in row: JSONValue) -> String {
    guard let value = value(in: row) else { return "" }
    return value.string ?? value.minified
  }
}
