import Pipeline
import Posix

/// Owns standard error. A worker's console writes each message for people as an event of its log.
///
/// Not a task local: optimised builds of Swift 6.3 crash when a task local holds a function.
final class Console: Sendable {
  static let standardError = Console { text in try? writeAll(2, Array(text.utf8)) }

  private struct State: Sendable {
    var write: @Sendable (String) -> Void
    var format = LogFormat.text
    /// nil while they are for the user of a command.
    var role: String?
  }

  private let state: Lock<State>

  init(_ write: @escaping @Sendable (String) -> Void) {
    state = Lock(State(write: write))
  }

  /// From now on, messages are events of this form.
  func speak(as format: LogFormat, role: String) {
    state.withLock { ($0.format, $0.role) = (format, role) }
  }

  /// From now on, everything is written elsewhere.
  func redirect(_ write: @escaping @Sendable (String) -> Void) {
    state.withLock { $0.write = write }
  }

  func show(_ text: String, at level: LogLevel) {
    let state = state.withLock { $0 }
    guard let role = state.role else { return state.write(Printable.lines(text)) }
    state.write(LogEvent(level, message: text, role: role).line(as: state.format))
  }

  /// Writes a line that has its form already.
  func write(_ line: String) {
    state.withLock { $0.write }(line)
  }
}

/// Text for people, on standard error, harmless for a terminal now or later. Short, so that it never blocks for long; a
/// closed stream is no reason to fail.
enum Message {
  @Sendable static func show(_ text: String) { Console.standardError.show(text, at: .warning) }
}
