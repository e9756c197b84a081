/// How the cells of a table are separated.
struct CSVDialect: Hashable, Sendable {
  static let tab = UInt8(ascii: "\t")
  static let comma = UInt8(ascii: ",")
  private static let separators = [comma, UInt8(ascii: ";"), tab]
  private static let lineLimit = 65_536

  var delimiter = Self.comma

  /// What an option names: a character, or a word for one.
  static func delimiter(named text: String) -> UInt8? {
    switch text {
    case "tab", "\\t": return tab
    default:
      guard text.utf8.count == 1, let byte = text.utf8.first else { return nil }
      let isText =
        byte == UInt8(ascii: "\"") || isLineEnd(byte) || (byte < 0x20 && byte != tab) || byte >= 0x7F
      return isText ? nil : byte
    }
  }

  /// What a table's first line says: a line `sep=;`, as spreadsheets write it, which is taken away, or the separators in the
  /// row of names.
  static func found(in text: PeekingSource, said delimiter: UInt8?) throws(InputError) -> CSVDialect {
    let line = try text.firstLine(limit: lineLimit)
    if let separator = separator(saidBy: line) {
      text.drop(line.count)
      // The line's end is left, and counts as the line.
      return CSVDialect(delimiter: delimiter ?? separator)
    }
    return CSVDialect(delimiter: delimiter ?? mostFrequent(in: line))
  }

  private static func separator(saidBy line: ArraySlice<UInt8>) -> UInt8? {
    let word = Array("sep=".utf8)
    guard line.count == word.count + 1, line.starts(with: word) else { return nil }
    return line.last
  }

  /// The separator that stands most often outside quotes, the first among equals.
  static func mostFrequent(in line: ArraySlice<UInt8>) -> UInt8 {
    var counts = [Int](repeating: 0, count: separators.count)
    var isQuoted = false
    for byte in line {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if !isQuoted, let index = separators.firstIndex(of: byte) { counts[index] += 1 }
    }
    let most = counts.max() ?? 0
    return separators[counts.firstIndex(of: most) ?? 0]
  }

  /// A cell of Halyard's own TSV, in which a backslash and a letter stand for a tab, a line end or a backslash.
  static func unescaped(_ cell: String) -> String {
    guard cell.utf8.contains(UInt8(ascii: "\\")) else { return cell }
    var text: [UInt8] = []
    var isEscaped = false
    for byte in cell.utf8 {
      guard isEscaped || byte != UInt8(ascii: "\\") else {
        isEscaped = true
        continue
      }
      if isEscaped, let meant = meaning(ofEscaped: byte) {
        text.append(meant)
      } else {
        text += isEscaped ? [UInt8(ascii: "\\"), byte] : [byte]
      }
      isEscaped = false
    }
    if isEscaped { text.append(UInt8(ascii: "\\")) }
    return String(decoding: text, as: UTF8.self)
  }

  private static func meaning(ofEscaped byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "t"): tab
    case UInt8(ascii: "n"): UInt8(ascii: "\n")
    case UInt8(ascii: "r"): UInt8(ascii: "\r")
    case UInt8(ascii: "\\"): byte
    default: nil
    }
  }
}
