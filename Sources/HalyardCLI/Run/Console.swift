import Pipeline
import Posix

/// Owns standard error: whatever is written takes the place of the line of progress, which comes back below it. A worker's
/// console writes each message for people as an event of its log.
///
/// Not a task local: optimised builds of Swift 6.3 crash when a task local holds a function.
final class Console: Sendable {
  static let standardError = Console { text in try? Descriptor.standardError.writeAll(Array(text.utf8)) }

  private struct State: Sendable {
    var format = LogFormat.text
    /// nil while they are for the user of a command.
    var role: String?
  }

  private let output: @Sendable (String) -> Void
  private let state = Lock(State())
  /// Held while bytes are written, so that they do not mix.
  private let line = Lock(StatusLine())
  private static let mostWaiting = 1_000
  private let writer = Lock(BlockingWorker?.none)

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

  /// Starts the thread of `soon`.
  func startWriter() throws {
    try writer.withLock { if $0 == nil { $0 = try BlockingWorker(name: "messages") } }
  }

  /// Has something written on a thread of its own, because a terminal or pipe that is not read blocks; what that cannot keep
  /// up with is dropped.
  func soon(_ body: @escaping @Sendable () -> Void) {
    if let writer = writer.value, writer.waiting < Self.mostWaiting { writer.start(body) }
  }

  /// Waits until all of that is written, for a second at most.
  func settle() async {
    guard let writer = writer.value else { return }
    let end = Promise<Void>()
    writer.start { end.keep(()) }
    let limit = Task {
      try? await Task.sleep(for: .seconds(1))
      end.keep(())
    }
    await end.value
    limit.cancel()
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
