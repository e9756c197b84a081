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
