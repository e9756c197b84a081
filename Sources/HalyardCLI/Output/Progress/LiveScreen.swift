/// Draws a terminal's whole screen again and again: each line in its place, so that nothing flickers. A pure value.
struct LiveScreen {
  private static let home = "\u{1B}[H"
  private static let clear = "\u{1B}[2J"
  private static let endOfLine = "\u{1B}[K"
  private static let below = "\u{1B}[J"
  private static let hideCursor = "\u{1B}[?25l"
  /// What to write at the end, so that the terminal is as it was.
  static let end = Array("\u{1B}[?25h".utf8)

  var width: Int
  var height: Int

  /// What to write to show these lines, which are harmless for a terminal. Lines that are too long are cut, and if there
  /// are too many, the last line says how many are missing.
  func frame(_ lines: [String], isFirst: Bool) -> [UInt8] {
    // The cursor stands below the last line.
    let room = max(1, height - 1)
    var shown = lines
    if lines.count > room {
      let missing = lines.count - room + 1
      shown = lines.prefix(room - 1) + ["… \(missing) more lines; make the window larger"]
    }
    let text = shown.map { line in
      (DisplayWidth.of(line) > width ? DisplayWidth.fit(line, to: width) : line) + Self.endOfLine + "\n"
    }
    .joined()
    return Array(((isFirst ? Self.hideCursor + Self.clear : "") + Self.home + text + Self.below).utf8)
  }
}
