import Pipeline
import Posix

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
    return format == .text ? nil : format
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
