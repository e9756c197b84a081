import Pipeline
import Posix

/// Ends a worker whose loop stands still, so that its supervisor starts another.
///
/// Each turn of a loop asks the inbox for more, at the latest after two seconds. A thread of its own, which no other
/// work can hold up, counts how long ago that was.
final class TurnWatch: Sendable {
  /// As long as an aggregator waits for it: its jobs have gone to others by then.
  static let patienceSeconds = 10

  private let stop: StopSignal
  private let secondsStill = Lock(0)

  init(_ log: any Log) throws(PosixError) {
    let (stop, secondsStill) = (try StopSignal(), secondsStill)
    self.stop = stop
    _ = try Thread.start(name: "turns") {
      // Counted, because while the whole process is stopped nothing counts.
      while (try? stop.sleep(milliseconds: 1_000)) != nil {
        let seconds = secondsStill.withLock { seconds in
          seconds += 1
          return seconds
        }
        if seconds == Self.patienceSeconds {
          log.record(.error, "the loop stands still, this process ends", [LogField("seconds", seconds)])
        } else if seconds > Self.patienceSeconds {
          exitProcess(ExitCode.bug.rawValue)
        }
      }
    }
  }

  func watched(_ inbox: any Inbox) -> any Inbox {
    WatchedInbox(base: inbox, watch: self)
  }

  /// The loop has ended.
  func end() {
    stop.raise()
  }

  fileprivate func turned() {
    secondsStill.withLock { $0 = 0 }
  }
}

private struct WatchedInbox: Inbox {
  let base: any Inbox
  let watch: TurnWatch

  var address: Address { base.address }

  func receive(atMost limit: Int, until moment: Moment?) async throws -> [Delivery] {
    watch.turned()
    return try await base.receive(atMost: limit, until: moment)
  }

  func note(_ notice: LaneNotice) async {
    await base.note(notice)
  }

  func close() async {
    await base.close()
  }
}
