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

/// What started this process and looks after it: systemd, or what speaks as it does, by datagrams to the socket that
/// `NOTIFY_SOCKET` names.
final class Systemd: Sendable {
  /// How often it wants to hear that the process is alive, at the latest; nil when it does not ask for it.
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

  /// The process has reported that it is ready, and not yet that it ends.
  var isReady: Bool { readiness.withLock { $0 } }

  /// Sends the news together, as one message.
  func tell(_ news: [ServiceNews]) {
    if news.contains(.ready) { readiness.withLock { $0 = true } }
    if news.contains(.stopping) { readiness.withLock { $0 = false } }
    do {
      try sender.send(Array(news.flatMap(\.lines).joined(separator: "\n").utf8))
    } catch {
      guard !hasFailed.withLock({ exchange(&$0, with: true) }) else { return }
      log.record(
        .warning, "the service manager cannot be told how this process is",
        [LogField("socket", socket), LogField("cause", error.message)])
    }
  }
}

/// What is made of how long a loop has not turned. A pure value.
struct TurnRule: Hashable, Sendable {
  enum Order: Hashable, Sendable {
    case sayAlive
    case tellStandstill(seconds: Int64)
    case endProcess
  }

  /// As long as an aggregator waits for a worker: its jobs have gone to others by then.
  static let timeoutMilliseconds: Int64 = 10_000
  /// A loop turns every two seconds when there is nothing to do; one that takes longer than this is not said to be alive.
  static let longestTurnMilliseconds: Int64 = 5_000

  /// How often to say that the loop turns; nil for never.
  private let aliveEvery: Int64?
  private let endsProcess: Bool
  private var still: Int64 = 0
  private var unsaid: Int64 = 0
  private var hasTurned = false
  private var isTold = false

  /// - Parameters:
  ///   - watchdogMilliseconds: How long the service manager waits for a sign of life; it gets two in that time.
  ///   - endsProcess: A loop that stands still is ended, so that another process takes its place.
  init(watchdogMilliseconds: Int64?, endsProcess: Bool) {
    aliveEvery = watchdogMilliseconds.map { $0 / 2 }
    self.endsProcess = endsProcess
  }

  /// - Returns: Whether it was the first time.
  mutating func turned() -> Bool {
    defer { hasTurned = true }
    (still, isTold) = (0, false)
    return !hasTurned
  }

  mutating func passed(milliseconds: Int64) -> [Order] {
    still += milliseconds
    unsaid += milliseconds
    var orders: [Order] = []
    if let aliveEvery, hasTurned, unsaid >= aliveEvery, still <= Self.longestTurnMilliseconds {
      unsaid = 0
      orders.append(.sayAlive)
    }
    // A loop that has not begun may be reading a large ledger.
    guard endsProcess || hasTurned, still >= Self.timeoutMilliseconds else { return orders }
    if !isTold {
      isTold = true
      orders.append(.tellStandstill(seconds: still / 1_000))
    } else if endsProcess {
      orders.append(.endProcess)
    }
    return orders
  }
}
