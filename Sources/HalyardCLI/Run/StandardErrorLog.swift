import Pipeline

/// Log lines for people, on standard error: `halyard: warning: burst not sent (messages 3)`.
struct StandardErrorLog: Log {
  let threshold: LogLevel

  func record(_ level: LogLevel, _ message: StaticString, _ metadata: [LogField]) {
    guard level >= threshold else { return }
    let fields = metadata.map { "\($0.name) \(Printable.text($0.value))" }.joined(separator: ", ")
    let detail = fields.isEmpty ? "" : " (\(fields))"
    Message.show("halyard: \(level.rawValue): \(message)\(detail)\n")
  }
}
