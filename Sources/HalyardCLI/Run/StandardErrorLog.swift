import Pipeline
import Posix

/// Log lines on standard error, see `LogLine`.
///
/// Written on a thread of its own, because a terminal or pipe that is not read blocks; lines it cannot keep up
/// with are dropped.
final class StandardErrorLog: Log {
  private static let mostWaiting = 1_000

  private let threshold: LogLevel
  /// Of a process that runs for long; nil for a command.
  private let role: String?
  private let worker: BlockingWorker
  private let waiting = Lock(0)

  init(threshold: LogLevel, role: String? = nil) throws {
    self.threshold = threshold
    self.role = role
    worker = try BlockingWorker(name: "log")
  }

  func record(_ level: LogLevel, _ message: StaticString, _ metadata: [LogField]) {
    guard level >= threshold, takePlace() else { return }
    // When it happened, and not when it could be written.
    let line =
      role.map { LogLine.ofWorker(level, "\(message)", metadata, role: $0) }
      ?? LogLine.ofCommand(level, "\(message)", metadata)
    worker.start { [waiting] in
      Message.show(line)
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
