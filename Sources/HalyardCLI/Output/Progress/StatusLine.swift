import Posix

/// Decides when the line at the bottom of a terminal is drawn and cleared. A pure value.
struct StatusLine {
  private static let pauseMilliseconds: Int64 = 200
  private static let erase = "\r\u{1B}[K"

  /// nil when no line stands there.
  private var shown: String?
  private var drawnAt: Int64 = 0

  /// What to write now; nil when a line is there that is younger than a fifth of a second, or says the same.
  mutating func redraw(at milliseconds: Int64, _ line: () -> String) -> String? {
    if shown != nil, milliseconds - drawnAt < Self.pauseMilliseconds { return nil }
    drawnAt = milliseconds
    let line = line()
    guard line != shown else { return nil }
    shown = line
    return Self.erase + line
  }

  /// What to write before anything else goes to the same terminal; nil when there is no line.
  mutating func clear() -> String? {
    guard shown != nil else { return nil }
    shown = nil
    return Self.erase
  }
}

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

/// When the user wants a progress line.
enum ProgressMode: String, CaseIterable, Sendable {
  case auto
  case always
  case never
}

extension ParsedArguments {
  /// Whether to draw the progress line; `--quiet` beats everything.
  func wantsProgress(standardErrorRedraws: Bool) -> Bool {
    guard !self[LinkOption.quiet] else { return false }
    return switch self[LinkOption.progress] {
    case .auto: standardErrorRedraws
    case .always: true
    case .never: false
    }
  }

  /// How wide the progress line may be; nil when there is none. The last column stays free, where some terminals would wrap.
  ///
  /// - Parameter hasRoom: Nothing else writes where the line stands.
  func progressWidth(hasRoom: Bool = true) -> Int? {
    let standardError = terminal(2)
    guard wantsProgress(standardErrorRedraws: standardError.redraws && hasRoom) else { return nil }
    return max((standardError.width ?? 80) - 1, 1)
  }

  /// Whether to end with a summary line: for people at a terminal, for those who always want progress, and elsewhere when
  /// there is something to tell.
  func wantsSummary(
    of counts: ProgressCounts, standardErrorIsTerminal: Bool = isTerminal(2)
  ) -> Bool {
    guard !self[LinkOption.quiet] else { return false }
    return standardErrorIsTerminal || self[LinkOption.progress] == .always || counts.isTelling
  }
}
