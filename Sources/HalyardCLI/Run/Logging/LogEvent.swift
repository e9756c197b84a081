import JSONQuery
import Pipeline
import Posix

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
