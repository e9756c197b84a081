/// Wraps and aligns the plain text of help pages.
enum TextLayout {
  /// Breaks a paragraph at spaces; a word that is wider than a line stands alone.
  static func wrapped(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? String(word) : " \(word)"
    }
    return line.isEmpty ? lines : lines + [line]
  }

  /// Two columns: the left one as wide as its widest entry or `column`, the right one wrapped beside it.
  static func rows(_ rows: [(left: String, right: String)], width: Int, column: Int = 0) -> [String] {
    let indent = max(column, rows.map(\.left.count).max() ?? 0) + 2
    return rows.flatMap { row in
      wrapped(row.right, width: max(width - indent, 20)).enumerated().map { index, line in
        let left = index == 0 ? row.left : ""
        return left + String(repeating: " ", count: indent - left.count) + line
      }
    }
  }
}
