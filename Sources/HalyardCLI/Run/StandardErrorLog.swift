import JSONQuery
import Links
import Pipeline
import Posix

/// Log lines on standard error, see `LogEvent`.
final class StandardErrorLog: Log {
  private let plan: Lock<LogPlan>
  /// Of a process that runs for long; nil for a command.
  private let role: String?

  init(_ plan: LogPlan, role: String? = nil) throws {
    self.plan = Lock(plan)
    self.role = role
    try Console.standardError.startWriter()
  }

  func record(_ level: LogLevel, _ message: StaticString, _ metadata: [LogField]) {
    let plan = plan.withLock { $0 }
    guard level >= plan.level else { return }
    write(LogEvent(level, "\(message)", metadata, role: role), plan.format)
  }

  /// Says what somebody asked for, whatever the level.
  func announce(_ level: LogLevel, _ message: StaticString, _ metadata: [LogField]) {
    write(LogEvent(level, "\(message)", metadata, role: role), plan.withLock { $0.format })
  }

  /// Leaves out what is below this level from now on.
  func setLevel(_ level: LogLevel) {
    plan.withLock { $0.level = level }
  }

  private func write(_ event: LogEvent, _ format: LogFormat) {
    Console.standardError.soon { Console.standardError.write(event.line(as: format)) }
  }
}

/// What happened, for one line of a log, which is harmless for a terminal.
struct LogEvent: Sendable {
  var level: LogLevel
  var message: String
  var fields: [LogField] = []
  /// Of a process that runs for long; nil for a command.
  var role: String?
  var process = processID
  /// When it happened, and not when it could be written.
  var unixMilliseconds = SystemTime.unixMilliseconds

  init(_ level: LogLevel, _ message: String, _ fields: [LogField] = [], role: String?) {
    (self.level, self.message, self.fields, self.role) = (level, message, fields, role)
  }

  /// - Parameter text: Lines for people, as commands write them.
  init(_ level: LogLevel, message text: String, role: String?) {
    let lines = text.split(separator: "\n").map { line in
      line.hasPrefix("halyard: ") ? line.dropFirst("halyard: ".count) : line
    }
    self.init(level, lines.joined(separator: "; "), role: role)
  }

  /// With the end of the line.
  func line(as format: LogFormat) -> String {
    switch format {
    case .text: role.map(workerLine) ?? commandLine
    case .json: json
    case .journal: journalLine
    }
  }

  /// For the log of a process that runs for long:
  /// `2026-11-22T08:49:37.120Z warning fetcher 4711 burst not sent messages=3 cause="closed"`.
  private func workerLine(_ role: String) -> String {
    let time = Moment(unixMilliseconds: unixMilliseconds).timestamp
    let words = [time, level.rawValue, role, "\(process)", Printable.text(message)]
    return (words + fields.map(Self.shown)).joined(separator: " ") + "\n"
  }

  /// For the user of a command: `halyard: warning: burst not sent (messages 3)`.
  private var commandLine: String {
    let detail = fields.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
    let words = "halyard: \(level.rawValue): \(message)" + (detail.isEmpty ? "" : " (\(detail))")
    return Printable.text(words) + "\n"
  }

  /// For systemd's journal, which knows time and process: `<4>fetcher: burst not sent messages=3 cause="closed"`.
  private var journalLine: String {
    let words = [(role.map { "\($0): " } ?? "") + Printable.text(message)] + fields.map(Self.shown)
    return "<\(level.journalPriority)>" + words.joined(separator: " ") + "\n"
  }

  /// In quotes unless it is a single word.
  private static func shown(_ field: LogField) -> String {
    let name = field.name.replacing(" ", with: "_")
    let value = Printable.text(field.value)
    let isWord = !value.isEmpty && !value.contains { $0 == " " || $0 == "\"" || $0 == "=" || $0 == "\\" }
    if isWord { return "\(name)=\(value)" }
    return "\(name)=\"\(value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }

  private static let ownNames: Set = ["time", "level", "role", "process", "event"]

  /// What the event is about stands beside the members that every line has, by its name in the text form; a name that all
  /// lines have is `about_…`.
  private var json: String {
    let line = JSONWriter.line { line in
      line.member("time", Moment(unixMilliseconds: unixMilliseconds).timestamp)
      line.member("level", level.rawValue)
      line.member("role", role ?? "command")
      line.member("process", process)
      line.member("event", message)
      for field in fields {
        let name = field.name.replacing(" ", with: "_")
        line.member(Self.ownNames.contains(name) ? "about_\(name)" : name, field.value)
      }
    }
    return Printable.json(String(decoding: line, as: UTF8.self))
  }
}

extension LogLevel {
  /// See sd-daemon(3).
  fileprivate var journalPriority: Int {
    switch self {
    case .error: 3
    case .warning: 4
    case .info: 6
    case .debug: 7
    }
  }
}

enum LogFormat: String, CaseIterable, Sendable {
  case text
  /// One object a line.
  case json
  /// Text with its priority in front, as systemd's journal reads it, which adds time and process itself.
  case journal

  /// How a process that runs for long is to write before its options are read; nil where a person reads it.
  static func early(
    _ words: [String], _ environment: [String: String], standardError: String? = streamIdentity(2)
  ) -> LogFormat? {
    let own = words.prefix { $0 != "--" }
    guard let command = words.first, CommandTable.longRunning.contains(where: { $0.name == command }),
      !own.contains(FleetOption.detach.flag)
    else { return nil }
    let option = LinkOption.logFormat
    let word = own.lastIndex { $0 == option.flag || $0.hasPrefix("\(option.flag)=") }
    let value = word.flatMap { place in
      own[place] == option.flag
        ? own.dropFirst(place + 1).first : String(own[place].dropFirst(option.flag.count + 1))
    }
    let asked = (value ?? option.variable.flatMap { environment[$0] }).flatMap(LogFormat.init)
    let format = asked ?? (isJournal(environment, standardError) ? .journal : .text)
    // The log of a fleet has the lines of its workers.
    return format == .text && !own.contains(FleetOption.untilInputEnds.flag) ? nil : format
  }

  fileprivate static func isJournal(_ environment: [String: String], _ standardError: String?) -> Bool {
    standardError != nil && environment["JOURNAL_STREAM"] == standardError
  }
}

/// What a command tells on standard error, and in which form.
struct LogPlan: Hashable, Sendable {
  var level = LogLevel.warning
  var format = LogFormat.text

  init() {}

  /// - Parameters:
  ///   - level: The option that sets the lowest level to log.
  ///   - standardError: Which stream that is.
  init(
    _ arguments: ParsedArguments, _ level: Option<LogLevel> = LinkOption.logLevel,
    standardError: String? = streamIdentity(2)
  ) {
    self.level = arguments[level]
    format =
      arguments[LinkOption.logFormat]
      ?? (LogFormat.isJournal(arguments.environment, standardError) ? .journal : .text)
  }
}

/// Tells the log of each exchange, for those who want to see what a run does.
struct LoggedFetching: Fetching {
  let base: any Fetching
  let log: any Log

  /// - Returns: The same without a log unless the plan wants to hear so much.
  static func wanted(
    by plan: LogPlan, _ fetching: [any Fetching], _ log: any Log
  ) -> [any Fetching] {
    plan.level == .debug ? fetching.map { LoggedFetching(base: $0, log: log) } : fetching
  }

  func fetch(_ request: FetchRequest) async -> Result<FetchResponse, Failure> {
    let startedAt = SystemTime.monotonicMicroseconds
    let result = await base.fetch(request)
    let asked = [LogField("method", request.method.rawValue), LogField("url", printableLink(request.url))]
    let time = [LogField("ms", (SystemTime.monotonicMicroseconds - startedAt) / 1_000)]
    switch result {
    case .success(let response):
      log.record(.debug, "fetched", asked + Self.fields(of: response) + time)
    case .failure(let failure):
      let cause = [LogField("failure", failure.kind.rawValue), LogField("cause", failure.message)]
      log.record(.debug, "not fetched", asked + cause + time)
    }
    return result
  }

  private static func fields(of response: FetchResponse) -> [LogField] {
    var fields = [LogField("status", response.status), LogField("bytes", response.body.count)]
    if let address = response.remoteAddress { fields.append(LogField("address", address)) }
    if let version = response.version { fields.append(LogField("version", version.rawValue)) }
    fields.append(LogField("connection", response.isOnNewConnection ? "new" : "kept"))
    if let failure = response.bodyFailure { fields.append(LogField("failure", failure.kind.rawValue)) }
    return fields
  }

  func keeps(bytes: Int) { base.keeps(bytes: bytes) }

  var executor: (any TaskExecutor)? { base.executor }
}
