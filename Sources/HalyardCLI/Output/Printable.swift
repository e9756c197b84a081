/// Makes foreign text harmless for a terminal.
enum Printable {
  /// The text with every control character, line separator and direction override as U+FFFD.
  static func text(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { isUnsafe($0) ? "\u{FFFD}" : $0 }))
  }

  /// Foreign text inside a message: in quotes, and not longer than a line can bear.
  static func quoted(_ text: String) -> String {
    let limit = 60
    return text.count > limit ? "'\(text.prefix(limit))…'" : "'\(text)'"
  }

  /// Characters that move the cursor, break the line, or reorder what stands around them.
  static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
