import Pipeline
import Posix

enum LogFormat: String, CaseIterable, Sendable {
  case text
  /// One object a line.
  case json
  /// Text with its priority in front, as systemd's journal reads it, which adds time and process itself.
  case journal
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
    let isJournal = standardError != nil && arguments.environment["JOURNAL_STREAM"] == standardError
    format = arguments[LinkOption.logFormat] ?? (isJournal ? .journal : .text)
  }
}
