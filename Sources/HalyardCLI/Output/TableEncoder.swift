import JSONQuery
import Posix

struct TableColumn: Sendable {
  enum Content: Hashable, Sendable {
    case member(RowField)
    /// `ok 200`, or the kind of the failure: status, HTTP status and error in one.
    case result
  }

  var heading: String
  var content: Content
  /// Columns on the screen; nil takes a share of what the others leave.
  var fixedWidth: Int?
}

/// A table for people: columns of fixed width, values cut to fit, row by row as they come.
struct TableEncoder: RowEncoder {
  private static let gap = "  "

  private let columns: [TableColumn]
  private let widths: [Int]
  private let showsColour: Bool
  private let tellsWhy: Bool

  /// - Parameter tellsWhy: Failures are told on lines of their own where rows have no room for them.
  init(_ columns: [TableColumn], width: Int, showsColour: Bool, tellsWhy: Bool = true) {
    self.tellsWhy = tellsWhy
    self.columns = columns
    self.showsColour = showsColour
    widths = Self.widths(of: columns, in: width)
  }

  /// Shares out the width; what a division leaves goes to the last column of the kind.
  static func widths(of columns: [TableColumn], in width: Int) -> [Int] {
    let gaps = max(0, columns.count - 1) * gap.count
    let fixed = columns.compactMap(\.fixedWidth).reduce(0, +)
    let flexible = columns.filter { $0.fixedWidth == nil }.count
    guard flexible > 0 else { return columns.compactMap(\.fixedWidth) }
    let room = max(width - gaps - fixed, flexible * 8)
    let last = columns.lastIndex { $0.fixedWidth == nil }
    return columns.indices.map { index in
      columns[index].fixedWidth ?? (room / flexible + (index == last ? room % flexible : 0))
    }
  }

  func appendHeader(to output: inout [UInt8]) {
    append(columns.map { (text: $0.heading, colour: nil) }, widths, to: &output)
  }

  func append(_ row: [UInt8], to output: inout [UInt8]) throws(OutputError) {
    let row = try JSONValue(row: row)
    let cells: [Cell] = zip(columns, widths).map { column, width in
      switch column.content {
      case .result: (Self.result(of: row), Self.colour(of: row))
      case .member(let field):
        (shown(field, of: row, in: width), field.name == "status" ? Self.colour(of: row) : nil)
      }
    }
    guard columns.first?.content == .result, let message = Self.message(of: row) else {
      append(cells, widths, to: &output)
      return
    }
    let room = widths[min(2, widths.count)...].reduce(-Self.gap.count) { $0 + $1 + Self.gap.count }
    if cells.dropFirst(2).allSatisfy(\.text.isEmpty), DisplayWidth.of(message) <= room {
      append(cells.prefix(2) + [(message, nil)], widths.prefix(2) + [room], to: &output)
      return
    }
    append(cells, widths, to: &output)
    // A status says enough by itself.
    guard tellsWhy, RowField("error.kind").text(in: row) != "http_status" else { return }
    output += Array("\(Self.gap)\(message)\n".utf8)
  }

  private static func message(of row: JSONValue) -> String? {
    RowField("error.message").value(in: row)?.string.map(Printable.text)
  }

  /// Addresses that are too wide go without their scheme, which says least.
  private func shown(_ field: RowField, of row: JSONValue, in width: Int) -> String {
    let text = field.text(in: row)
    guard ["input", "url"].contains(field.name), text.utf8.count > width else { return text }
    let scheme = ["https://", "http://"].first(where: text.hasPrefix)
    let rest = scheme.map { String(text.dropFirst($0.count)) } ?? text
    return DisplayWidth.fitMiddle(Printable.text(rest), to: width)
  }

  private typealias Cell = (text: String, colour: Int?)

  private func append(_ cells: [Cell], _ widths: [Int], to output: inout [UInt8]) {
    var line = ""
    for (cell, width) in zip(cells, widths) {
      let text = DisplayWidth.fit(Printable.text(cell.text), to: width)
      if !line.isEmpty { line += Self.gap }
      if let colour = cell.colour, showsColour {
        line += "\u{1B}[\(colour)m\(text)\u{1B}[0m"
      } else {
        line += text
      }
    }
    let content = line.utf8.reversed().drop { $0 == UInt8(ascii: " ") }
    output += content.reversed()
    output.append(UInt8(ascii: "\n"))
  }

  private static func result(of row: JSONValue) -> String {
    let kind = RowField("error.kind").text(in: row)
    let code = RowField("http_status").text(in: row)
    let words = kind.isEmpty ? RowField("status").text(in: row) : kind
    let showsCode = !code.isEmpty && (kind.isEmpty || kind == "http_status")
    return showsCode ? "\(words) \(code)" : words
  }

  /// Green for ok, red for failed, yellow for anything else, as ANSI numbers.
  private static func colour(of row: JSONValue) -> Int {
    switch row["status"]?.string {
    case "ok": 32
    case "failed": 31
    default: 33
    }
  }
}

extension TableColumn {
  /// Members whose values have a length that is known.
  private static let knownWidths = [
    "id": 36, "batch": 36, "ref": 12, "ordinal": 7, "kind": 6, "status": 9, "http_status": 4, "charset": 12,
    "title_source": 8, "error.kind": 20, "error.stage": 10, "error.retryable": 5, "attempts": 3, "ms": 6,
    "schema": 16, "content_type": 16,
  ]

  /// What the result column of the default table stands for.
  private static let partsOfResult: Set<String> = ["status", "http_status", "error.kind"]

  init(_ column: RowColumn) {
    heading = Printable.text(column.heading.uppercased())
    content = .member(column.field)
    let headingWidth = DisplayWidth.of(heading)
    fixedWidth = Self.knownWidths[column.field.name].map { max($0, headingWidth) }
  }

  /// The default table: the result first, then the columns that are not part of it.
  static func defaults(for columns: [RowColumn], width: Int) -> [TableColumn] {
    let result = TableColumn(heading: "RESULT", content: .result, fixedWidth: width < 100 ? 15 : 20)
    return [result]
      + columns.filter { !partsOfResult.contains($0.field.name) }.map { TableColumn($0) }
  }
}

/// How many columns of a terminal text takes.
enum DisplayWidth {
  static func of(_ text: String) -> Int {
    isPlain(text) ? text.utf8.count : text.reduce(0) { $0 + of($1) }
  }

  /// Wide and full-width characters and emoji take two columns, lone combining marks none.
  static func of(_ character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    let isEmoji = character.unicodeScalars.contains { scalar in
      scalar.properties.isEmojiPresentation || scalar.value == 0xFE0F
    }
    if isEmoji || isWide(first) { return 2 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return 1
    }
  }

  /// The text in exactly `width` columns: cut with `…`, or filled with spaces.
  static func fit(_ text: String, to width: Int) -> String {
    let own = of(text)
    if own <= width { return text + String(repeating: " ", count: width - own) }
    guard width > 0 else { return "" }
    var kept = ""
    var used = 0
    for character in text {
      let next = of(character)
      guard used + next <= width - 1 else { break }
      kept.append(character)
      used += next
    }
    return "\(kept)…\(String(repeating: " ", count: width - 1 - used))"
  }

  /// As `fit`, but cut in the middle: of a link both ends tell something.
  static func fitMiddle(_ text: String, to width: Int) -> String {
    guard of(text) > width, width > 2 else { return fit(text, to: width) }
    let back = (width - 1) / 2
    var (tail, used) = ("", 0)
    for character in text.reversed() {
      let next = of(character)
      guard used + next <= back else { break }
      tail = "\(character)\(tail)"
      used += next
    }
    let head = fit(text, to: width - used)
    return head + tail
  }

  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
  }

  /// East Asian Width W and F of Unicode, as blocks: reserved places in them count as wide too.
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x1100: false
    case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF,
      0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}

/// What a stream leads to, as far as it matters for what we write there.
struct TerminalTraits: Hashable, Sendable {
  var isTerminal: Bool
  /// In columns; nil when unknown.
  var width: Int?
  var showsColour: Bool
  /// Whether a line can be drawn over.
  var redraws: Bool
  /// Another program reads it.
  var isPipe = false

  /// Colour needs a terminal that is not dumb, and a user who did not set NO_COLOR (https://no-color.org).
  init(isTerminal: Bool, width: Int?, environment: [String: String]) {
    self.isTerminal = isTerminal
    self.width = width
    let refusesColour = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    redraws = isTerminal && environment["TERM"] != "dumb"
    showsColour = redraws && !refusesColour
  }
}

extension ParsedArguments {
  /// Asks about standard output (1) or standard error (2).
  func terminal(_ descriptor: Int32) -> TerminalTraits {
    var traits = TerminalTraits(
      isTerminal: isTerminal(descriptor), width: terminalWidth(descriptor), environment: environment)
    traits.isPipe = isPipe(descriptor)
    return traits
  }
}

/// What goes to standard output, as far as it matters when that is a terminal.
enum ScreenContent: Sendable {
  /// Lines of text, which can hold anything.
  case text
  /// Values in JSON, a line each.
  case json
  /// Lines with colours and the like of our own, whose foreign text is harmless already.
  case drawn

  /// The same bytes, harmless for a terminal.
  func harmless(_ bytes: [UInt8]) -> [UInt8] {
    switch self {
    case .text: Array(Printable.lines(String(decoding: bytes, as: UTF8.self)).utf8)
    case .json: Array(Printable.json(String(decoding: bytes, as: UTF8.self)).utf8)
    case .drawn: bytes
    }
  }
}
