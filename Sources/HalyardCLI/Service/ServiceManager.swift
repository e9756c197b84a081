import Pipeline
import Posix

/// What a process tells the service manager that started it, see sd_notify(3).
enum ServiceNews: Hashable, Sendable {
  case ready
  /// The configuration is read again; `ready` follows.
  case reloading(monotonicMicroseconds: Int64)
  case stopping
  /// The process works; the service manager restarts one that does not say so in time.
  case alive
  /// One line for people.
  case status(String)

  var lines: [String] {
    switch self {
    case .ready: ["READY=1"]
    case .reloading(let time): ["RELOADING=1", "MONOTONIC_USEC=\(time)"]
    case .stopping: ["STOPPING=1"]
    case .alive: ["WATCHDOG=1"]
    case .status(let text): ["STATUS=\(Printable.text(text))"]
    }
  }
}

/// The port to what started this process and looks after it.
protocol ServiceManager: Sendable {
  /// How often it wants to hear that the process is alive, at the latest; nil when it does not ask for it.
  var watchdogMilliseconds: Int64? { get }
  /// The process has reported that it is ready, and not yet that it ends.
  var isReady: Bool { get }
  /// Sends the news together, as one message.
  func tell(_ news: [ServiceNews])
}

/// Nothing looks after this process, or `halyard up` does.
struct NoServiceManager: ServiceManager {
  var watchdogMilliseconds: Int64? { nil }
  var isReady: Bool { false }
  func tell(_ news: [ServiceNews]) {}
}

/// systemd, or what speaks as it does: datagrams to the socket that `NOTIFY_SOCKET` names.
final class Systemd: ServiceManager {
  let watchdogMilliseconds: Int64?
  private let socket: String
  private let sender: DatagramSender
  private let log: any Log
  private let hasFailed = Lock(false)
  private let readiness = Lock(false)

  /// nil when the environment names no socket.
  init?(_ environment: [String: String], process: Int32 = processID, log: any Log) {
    guard let socket = environment["NOTIFY_SOCKET"], !socket.isEmpty else { return nil }
    (self.socket, self.log) = (socket, log)
    sender = DatagramSender(to: socket)
    watchdogMilliseconds = Self.watchdog(environment, process)
  }

  /// Another process's watchdog is none of ours.
  private static func watchdog(_ environment: [String: String], _ process: Int32) -> Int64? {
    if let asked = environment["WATCHDOG_PID"], Int32(asked) != process { return nil }
    guard let time = environment["WATCHDOG_USEC"].flatMap({ Int64($0) }), time > 0 else { return nil }
    return max(1, time / 1_000)
  }

  var isReady: Bool { readiness.withLock { $0 } }

  func tell(_ news: [ServiceNews]) {
    if news.contains(.ready) { readiness.withLock { $0 = true } }
    if news.contains(.stopping) { readiness.withLock { $0 = false } }
    do {
      try sender.send(Array(news.flatMap(\.lines).joined(separator: "\n").utf8))
    } catch {
      guard
        hasFailed.withLock({ failed in
          defer { failed = true }
          return !failed
        })
      else { return }
      log.record(
        .warning, "the service manager cannot be told how this process is",
        [LogField("socket", socket), LogField("cause", error.message)])
    }
  }
}
