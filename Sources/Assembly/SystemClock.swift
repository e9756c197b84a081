package import Pipeline
import Posix

/// The machine's time. It starts at the wall clock and then follows the monotonic one, so it never jumps.
package struct SystemClock: PipelineClock {
  private let startUnixMilliseconds: Int64
  private let startMonotonicMicroseconds: Int64

  package init() {
    startUnixMilliseconds = SystemTime.unixMilliseconds
    startMonotonicMicroseconds = SystemTime.monotonicMicroseconds
  }

  package var now: Moment {
    let elapsed = SystemTime.monotonicMicroseconds - startMonotonicMicroseconds
    return Moment(unixMilliseconds: startUnixMilliseconds + elapsed / 1_000)
  }

  /// The wall clock itself, which other processes of the machine share to the microsecond.
  package var microseconds: Int64 { SystemTime.unixMicroseconds }

  package func sleep(until moment: Moment) async throws {
    let milliseconds = moment.milliseconds(since: now)
    if milliseconds > 0 { try await Task.sleep(for: .milliseconds(milliseconds)) }
  }
}
