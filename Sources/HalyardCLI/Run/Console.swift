import Pipeline
import Posix

/// Owns standard error: whatever is written takes the place of the line of progress, which comes back below it. A worker's
/// console writes each message for people as an event of its log.
///
/// Not a task local: optimised builds of Swift 6.3 crash when a task local holds a function.
final class Console: Sendable {
  static let standardError = Console { text in try? writeAll(2, Array(text.utf8)) }

  private struct State: Sendable {
    var format = LogFormat.text
    /// nil while they are for the user of a command.
    var role: String?
  }

  private let output: @Sendable (String) -> Void
  private let state = Lock(State())
  /// Held while bytes are written, so that they do not mix.
  private let line = Lock(StatusLine())

  init(_ write: @escaping @Sendable (String) -> Void) {
    output = write
  }

  /// From now on, messages are events of this form.
  func speak(as format: LogFormat, role: String?) {
    state.withLock { ($0.format, $0.role) = (format, role) }
  }

  func show(_ text: String, at level: LogLevel) {
    let state = state.withLock { $0 }
    guard let role = state.role else { return write(Printable.lines(text)) }
    write(LogEvent(level, message: text, role: role).line(as: state.format))
  }

  /// Writes a line that has its form already.
  func write(_ text: String) {
    line.withLock { output(($0.clear() ?? "") + text) }
  }

  /// Draws a line at the bottom of a terminal over the one that stands there, a few times a second at most.
  func draw(_ text: () -> String) {
    let now = SystemTime.monotonicMicroseconds / 1_000
    line.withLock { line in line.redraw(at: now, text).map(output) }
  }

  /// To be called before rows go to the same terminal, and at the end.
  func clear() {
    line.withLock { $0.clear().map(output) }
  }
}

/// Text for people, on standard error, harmless for a terminal now or later. Short, so that it never blocks for long; a
/// closed stream is no reason to fail.
enum Message {
  static func show(_ text: String) { Console.standardError.show(text, at: .warning) }
}
