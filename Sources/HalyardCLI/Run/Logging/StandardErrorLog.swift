import Pipeline
import Posix

/// Log lines on standard error, see `LogEvent`.
///
/// Written on a thread of its own, because a terminal or pipe that is not read blocks; lines it cannot keep up
/// with are dropped.
final class StandardErrorLog: Log {
  private static let mostWaiting = 1_000

  private let plan: Lock<LogPlan>
  /// Of a process that runs for long; nil for a command.
  private let role: String?
  private let worker: BlockingWorker
  private let waiting = Lock(0)

  init(_ plan: LogPlan, role: String? = nil) throws {
    self.plan = Lock(plan)
    self.role = role
    worker = try BlockingWorker(name: "log")
  }

  func record(_ level: LogLevel, _ message: StaticString, _ metadata: [LogField]) {
    let plan = plan.withLock { $0 }
    guard level >= plan.level else { return }
    write(LogEvent(level, "\(message)", metadata, role: role), plan.format)
  }

  /// Says what somebody asked for, whatever the level.
  func announce(_ level: LogLevel, _ message: StaticString, _ metadata: [LogField]) {
    write(LogEvent(level, "\(message)", metadata, role: role), plan.withLock { $0.format })
  }

  /// Leaves out what is below this level from now on.
  func setLevel(_ level: LogLevel) {
    plan.withLock { $0.level = level }
  }

  private func write(_ event: LogEvent, _ format: LogFormat) {
    guard takePlace() else { return }
    let line = event.line(as: format)
    worker.start { [waiting] in
      Console.standardError.write(line)
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
