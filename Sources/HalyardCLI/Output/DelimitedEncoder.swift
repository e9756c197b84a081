internal import JSONQuery

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
