import Pipeline
import Posix

/// One event as one line of text, harmless for a terminal.
enum LogLine {
  /// For the log of a process that runs for long:
  /// `2026-11-22T08:49:37.120Z warning fetcher 4711 burst not sent messages=3 cause="closed"`.
  static func ofWorker(
    _ level: LogLevel, _ message: String, _ fields: [LogField] = [], role: String,
    process: Int32 = processID, unixMilliseconds: Int64 = SystemTime.unixMilliseconds
  ) -> String {
    let time = Moment(unixMilliseconds: unixMilliseconds).timestamp
    let words = [time, level.rawValue, role, "\(process)", Printable.text(message)]
    return (words + fields.map(shown)).joined(separator: " ") + "\n"
  }

  /// For systemd's journal, which knows time and process: `<4>fetcher: burst not sent messages=3 cause="closed"`.
  static func ofJournal(
    _ level: LogLevel, _ message: String, _ fields: [LogField] = [], role: String?
  ) -> String {
    let words = [(role.map { "\($0): " } ?? "") + Printable.text(message)] + fields.map(shown)
    return "<\(priority(of: level))>" + words.joined(separator: " ") + "\n"
  }

  /// See sd-daemon(3).
  private static func priority(of level: LogLevel) -> Int {
    switch level {
    case .error: 3
    case .warning: 4
    case .info: 6
    case .debug: 7
    }
  }

  /// For the user of a command: `halyard: warning: burst not sent (messages 3)`.
  static func ofCommand(_ level: LogLevel, _ message: String, _ fields: [LogField]) -> String {
    let detail = fields.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
    let words = "halyard: \(level.rawValue): \(message)" + (detail.isEmpty ? "" : " (\(detail))")
    return Printable.text(words) + "\n"
  }

  /// In quotes unless it is a single word.
  private static func shown(_ field: LogField) -> String {
    let name = field.name.replacing(" ", with: "_")
    let value = Printable.text(field.value)
    let isWord = !value.isEmpty && !value.contains { $0 == " " || $0 == "\"" || $0 == "=" || $0 == "\\" }
    if isWord { return "\(name)=\(value)" }
    return "\(name)=\"\(value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }
}
