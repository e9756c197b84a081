import Pipeline
import Posix
import Roles

struct ProgressCounts: Hashable, Sendable {
  enum Total: Hashable, Sendable {
    case unknown
    case about(Int)
    case exactly(Int)

    var number: Int? {
      switch self {
      case .unknown: nil
      case .about(let number), .exactly(let number): number
      }
    }
  }

  var total = Total.unknown
  /// Jobs with an outcome, whichever it is.
  var done = 0
  /// How many failed, by the kind of their error.
  var failed: [String: Int] = [:]
  var cancelled = 0
  /// Those of the failed ones whose hosts were given up.
  var givenUp = GivenUpHosts()
  /// What would have to be allowed for the others.
  var blocked = BlockedPlaces()
  /// How many jobs a ledger had the rows of before.
  var known = 0
  /// Links that got no job.
  var leftOut = LinkSelection.LeftOut()

  /// Whether a summary is needed even without a terminal: jobs failed, were not done again, or were left out.
  var isTelling: Bool { failedInAll > 0 || known > 0 || !leftOut.isEmpty }

  var failedInAll: Int { failed.values.reduce(0, +) }
}

/// Renders progress as text; nothing but a function of its arguments.
enum ProgressLine {
  /// Kinds of failures a line names; the rest is summed up.
  private static let kindsShown = 3

  /// One line of at most `width` columns, such as `1,234/10,000  512/s  ETA 0:17  failed 12 (timeout 7, dns 5)`.
  static func render(_ counts: ProgressCounts, elapsedMilliseconds: Int64, width: Int) -> String {
    var parts = [done(counts)]
    if let rate = rate(counts, elapsedMilliseconds) { parts.append(rate) }
    if let seconds = secondsToGo(counts, elapsedMilliseconds) { parts.append("ETA \(clock(seconds))") }
    if counts.failedInAll > 0 { parts.append(failures(counts, naming: kindsShown)) }
    let line = parts.joined(separator: "  ")
    return DisplayWidth.of(line) > width ? DisplayWidth.fit(line, to: width) : line
  }

  private static func done(_ counts: ProgressCounts) -> String {
    switch counts.total {
    case .unknown: "\(grouped(counts.done)) so far"
    case .about(let number): "\(grouped(counts.done))/~\(grouped(number))"
    case .exactly(let number): "\(grouped(counts.done))/\(grouped(number))"
    }
  }

  /// The last line of a run, such as `10,000 rows in 0:20 (512/s): 9,988 ok, failed 12 (timeout 7, dns 5)`, with what
  /// would allow refused addresses, what a ledger had and what was left out, and one more when hosts were given up.
  static func summary(_ counts: ProgressCounts, elapsedMilliseconds: Int64) -> String {
    let tenths = (elapsedMilliseconds + 50) / 100
    let time = tenths < 100 ? "\(decimal(tenths: tenths)) s" : clock((elapsedMilliseconds + 500) / 1000)
    let speed = rate(counts, elapsedMilliseconds).map { " (\($0))" } ?? ""
    let ok = "\(grouped(counts.done - counts.failedInAll - counts.cancelled)) ok"
    let cancelled = counts.cancelled > 0 ? ", \(grouped(counts.cancelled)) cancelled" : ""
    let failed = counts.failedInAll > 0 ? ", \(failures(counts, naming: .max))" : ""
    let remedy = counts.blocked.remedy.map { "; \($0)" } ?? ""
    let leftOut = counts.leftOut.isEmpty ? "" : "; \(counts.leftOut.words)"
    let line =
      "\(grouped(counts.done)) \(counts.done == 1 ? "row" : "rows") in \(time)\(speed): \(ok)\(cancelled)\(failed)\(remedy)\(known(counts))\(leftOut)"
    let lost = counts.givenUp
    guard lost.jobs > 0 else { return line }
    let cost = GivenUpText.words(jobs: lost.jobs, worst: lost.worst, others: lost.others)
    return "\(line)\nhosts that were given up \(cost)"
  }

  /// Such as `; 60 from the ledger, 0 fetched`.
  private static func known(_ counts: ProgressCounts) -> String {
    guard counts.known > 0 else { return "" }
    let fetched = max(0, counts.done - counts.known)
    return "; \(grouped(counts.known)) from the ledger, \(grouped(fetched)) fetched"
  }

  /// Jobs per second so far; nil before there is a time to divide by.
  private static func rate(_ counts: ProgressCounts, _ elapsedMilliseconds: Int64) -> String? {
    guard elapsedMilliseconds > 0 else { return nil }
    let (scaled, overflow) = Int64(counts.done).multipliedReportingOverflow(by: 10_000)
    guard !overflow else { return nil }
    return "\(decimal(tenths: scaled / elapsedMilliseconds))/s"
  }

  /// How long the rest takes at the pace so far, at least a second; nil when nothing tells.
  private static func secondsToGo(_ counts: ProgressCounts, _ elapsedMilliseconds: Int64) -> Int64? {
    guard let total = counts.total.number, counts.done > 0, total > counts.done, elapsedMilliseconds > 0
    else {
      return nil
    }
    let (scaled, overflow) = Int64(total - counts.done).multipliedReportingOverflow(by: elapsedMilliseconds)
    guard !overflow else { return .max }
    return max(1, (scaled / Int64(counts.done) + 500) / 1000)
  }

  /// The most frequent kinds first, equals by name.
  private static func failures(_ counts: ProgressCounts, naming limit: Int) -> String {
    let ranked = counts.failed.filter { $0.value > 0 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    var kinds = ranked.prefix(limit).map { "\($0.key) \(grouped($0.value))" }
    let others = ranked.dropFirst(limit).reduce(0) { $0 + $1.value }
    if others > 0 { kinds.append("others \(grouped(others))") }
    return "failed \(grouped(counts.failedInAll)) (\(kinds.joined(separator: ", ")))"
  }

  /// `1234567` as `1,234,567`.
  static func grouped(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    let first = digits.count % 3
    let groups =
      (first > 0 ? [String(digits[..<first])] : [])
      + stride(from: first, to: digits.count, by: 3).map { String(digits[$0..<$0 + 3]) }
    return (number < 0 ? "-" : "") + groups.joined(separator: ",")
  }

  /// One digit behind the point below ten, none from there on.
  private static func decimal(tenths: Int64) -> String {
    tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : grouped(Int(tenths / 10))
  }

  /// `0:17`, `2:05`, `1:02:03`; from a hundred hours on only `>99h`.
  private static func clock(_ seconds: Int64) -> String {
    guard seconds < 360_000 else { return ">99h" }
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    let lead = hours > 0 ? "\(hours):\(two(minutes))" : "\(minutes)"
    return "\(lead):\(two(seconds % 60))"
  }
}

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
