import JSONQuery
import Pipeline
import Posix

/// What happened, for one line of a log.
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
    case .text:
      role.map {
        LogLine.ofWorker(
          level, message, fields, role: $0, process: process, unixMilliseconds: unixMilliseconds)
      } ?? LogLine.ofCommand(level, message, fields)
    case .json: json
    case .journal: LogLine.ofJournal(level, message, fields, role: role)
    }
  }

  private static let ownNames: Set = ["time", "level", "role", "process", "event"]

  /// What the event is about stands beside the members that every line has, by its name in the text form; a name that all
  /// lines have is `about_…`.
  private var json: String {
    var writer = JSONWriter(reservingCapacity: 256)
    writer.beginObject()
    let own = [
      ("time", Moment(unixMilliseconds: unixMilliseconds).timestamp), ("level", level.rawValue),
      ("role", role ?? "command"),
    ]
    for (name, value) in own {
      writer.member(name, value)
    }
    writer.member("process", process)
    writer.member("event", message)
    for field in fields {
      let name = field.name.replacing(" ", with: "_")
      writer.member(Self.ownNames.contains(name) ? "about_\(name)" : name, field.value)
    }
    writer.endObject()
    writer.endLine()
    return Printable.json(String(decoding: writer.bytes, as: UTF8.self))
  }
}
