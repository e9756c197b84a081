import Pipeline
import Posix

/// Sees whether a worker's loop turns: tells the service manager so while it does, and ends a worker whose loop stands
/// still, so that its supervisor starts another.
///
/// Each turn of a loop asks the inbox for more, at the latest after two seconds. A thread of its own, which no other
/// work can hold up, counts how long ago that was.
final class LoopWatchdog: Sendable {
  private static let longestTickMilliseconds: Int64 = 1_000
  private static let shortestTickMilliseconds: Int64 = 20

  private let stop: StopSignal
  private let rule: Lock<TurnRule>
  private let service: Systemd?
  private let status: String

  /// - Parameters:
  ///   - status: What the service manager shows of a process that works.
  ///   - endsProcess: False for a loop that waits for a disk as long as that takes.
  init(
    _ log: any Log, _ service: Systemd?, status: String, endsProcess: Bool = true
  ) throws(PosixError) {
    let watchdog = service?.watchdogMilliseconds
    let (stop, rule) = (
      try StopSignal(), Lock(TurnRule(watchdogMilliseconds: watchdog, endsProcess: endsProcess))
    )
    (self.stop, self.rule, self.service, self.status) = (stop, rule, service, status)
    let tick = max(
      Self.shortestTickMilliseconds, min(Self.longestTickMilliseconds, (watchdog ?? .max) / 4))
    _ = try Thread.start(name: "turns") {
      // Counted, because while the whole process is stopped nothing counts.
      while (try? stop.sleep(milliseconds: Int32(tick))) != nil {
        for order in rule.withLock({ $0.passed(milliseconds: tick) }) {
          switch order {
          case .sayAlive: service?.tell([.alive])
          case .tellStandstill(let seconds):
            service?.tell([.status("the loop stands still")])
            if endsProcess {
              log.record(
                .error, "the loop stands still, this process ends", [LogField("seconds", seconds)])
            } else {
              log.record(.warning, "the loop stands still", [LogField("seconds", seconds)])
            }
          case .endProcess: exitProcess(ExitCode.bug.rawValue)
          }
        }
      }
    }
  }

  func watched(_ inbox: any Inbox) -> any Inbox {
    TappedInbox(base: inbox) { [self] base, limit, moment in
      turned()
      return try await base.receive(atMost: limit, until: moment)
    }
  }

  func end() {
    stop.raise()
  }

  /// The loop came round. The first time shows that the process is ready.
  func turned() {
    if rule.withLock({ $0.turned() }) { service?.tell([.ready, .status(status)]) }
  }
}

extension TappedInbox {
  static let wakingMilliseconds: Int64 = 2_000

  /// Returns every two seconds, with nothing if need be: a loop that waits for messages shows that it turns.
  static func waking(_ inbox: any Inbox, clock: any PipelineClock) -> TappedInbox {
    TappedInbox(base: inbox) { base, limit, moment in
      let wake = clock.now.advanced(byMilliseconds: wakingMilliseconds)
      return try await base.receive(atMost: limit, until: moment.map { min($0, wake) } ?? wake)
    }
  }
}
