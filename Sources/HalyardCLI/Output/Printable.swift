import LinkPreviews

/// Makes foreign text harmless for a terminal.
enum Printable {
  private static let replacement: Unicode.Scalar = "\u{FFFD}"

  /// The text on one line, with every control character, line separator and direction mark as U+FFFD.
  static func text(_ text: String) -> String {
    replacing(text) { $0.disturbsText ? replacement : $0 }
  }

  static func lines(_ text: String) -> String {
    replacing(text) { $0 != "\n" && $0 != "\t" && $0.disturbsText ? replacement : $0 }
  }

  /// JSON that means the same: characters that are not harmless can only stand inside of strings, where an escape can
  /// stand too.
  static func json(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0 != "\n" && $0.disturbsText }) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": result += "\n"
      case "\t", "\r": result += " "
      case _ where scalar.disturbsText: result += escape(scalar)
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

  private static func replacing(_ text: String, _ body: (Unicode.Scalar) -> Unicode.Scalar) -> String {
    guard text.unicodeScalars.contains(where: \.disturbsText) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map(body)))
  }
}
