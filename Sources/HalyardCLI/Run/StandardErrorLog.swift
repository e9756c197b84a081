import Pipeline
import Posix

/// Log lines for people, on standard error: `halyard: warning: burst not sent (messages 3)`.
///
/// Written on a thread of its own, because a terminal or pipe that nobody empties blocks; lines it cannot keep up
/// with are dropped.
final class StandardErrorLog: Log {
  private static let mostWaiting = 1_000

  private let threshold: LogLevel
  private let worker: BlockingWorker
  private let waiting = Lock(0)

  init(threshold: LogLevel) throws {
    self.threshold = threshold
    worker = try BlockingWorker(name: "log")
  }

  func record(_ level: LogLevel, _ message: StaticString, _ metadata: [LogField]) {
    guard level >= threshold, takePlace() else { return }
    let fields = metadata.map { "\($0.name) \(Printable.text($0.value))" }.joined(separator: ", ")
    let detail = fields.isEmpty ? "" : " (\(fields))"
    worker.start { [waiting] in
      Message.show("halyard: \(level.rawValue): \(message)\(detail)\n")
      waiting.withLock { $0 -= 1 }
    }
  }

  private func takePlace() -> Bool {
    waiting.withLock { waiting in
      guard waiting < Self.mostWaiting else { return false }
      waiting += 1
      return true
    }
  }
}
