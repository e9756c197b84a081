/// Makes foreign text harmless for a terminal.
enum Printable {
  private static let replacement: Unicode.Scalar = "\u{FFFD}"

  /// The text on one line, with every control character, line separator and direction mark as U+FFFD.
  static func text(_ text: String) -> String {
    replacing(text) { isUnsafe($0) ? replacement : $0 }
  }

  /// Text of several lines.
  static func lines(_ text: String) -> String {
    replacing(text) { $0 != "\n" && $0 != "\t" && isUnsafe($0) ? replacement : $0 }
  }

  /// JSON that means the same: characters that are not harmless can only stand inside of strings, where an escape can
  /// stand too.
  static func json(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0 != "\n" && isUnsafe($0) }) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": result += "\n"
      case "\t", "\r": result += " "
      case _ where isUnsafe(scalar): result += escape(scalar)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// All of them have at most four digits.
  private static func escape(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }

  /// Foreign text inside a message: in quotes, and not longer than a line can bear.
  static func quoted(_ text: String) -> String {
    let limit = 60
    return text.count > limit ? "'\(text.prefix(limit))…'" : "'\(text)'"
  }

  /// Characters that move the cursor, break the line, or reorder what stands around them.
  static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  private static func replacing(_ text: String, _ body: (Unicode.Scalar) -> Unicode.Scalar) -> String {
    guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map(body)))
  }
}
