/// Text as macros of man(7), in ASCII.
enum Roff {
  /// Text that roff takes for nothing but text, wherever in a line it stands.
  static func text(_ text: String) -> String {
    var out = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": out += "\\(rs"
      case "-": out += "\\-"
      case "'": out += "\\(aq"
      case "`": out += "\\(ga"
      case "^": out += "\\(ha"
      case "~": out += "\\(ti"
      case "\"": out += "\\(dq"
      case "\n", "\r", "\t": out += " "
      case " "..."}": out.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        out += "\\[u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)]"
      }
    }
    return out
  }

  /// A line of text, which a dot in front does not turn into a request.
  static func line(_ roff: String) -> String {
    roff.hasPrefix(".") ? "\\&\(roff)" : roff
  }

  static func bold(_ plain: String) -> String { "\\fB\(text(plain))\\fR" }

  static func italic(_ plain: String) -> String { "\\fI\(text(plain))\\fR" }

  /// Words between backticks, and between two pairs of asterisks, are bold; all others are as they are.
  static func marked(_ markdown: String) -> String {
    var out = ""
    for (index, part) in markdown.split(separator: "`", omittingEmptySubsequences: false).enumerated() {
      if !index.isMultiple(of: 2) {
        out += bold(String(part))
        continue
      }
      var rest = part
      var isBold = false
      while let mark = rest.firstRange(of: "**") {
        out += isBold ? bold(String(rest[..<mark.lowerBound])) : text(String(rest[..<mark.lowerBound]))
        rest = rest[mark.upperBound...]
        isBold.toggle()
      }
      out += isBold ? bold(String(rest)) : text(String(rest))
    }
    return out
  }
}
