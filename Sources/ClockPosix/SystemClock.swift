public import Pipeline
import Posix

/// The machine's time. It starts at the wall clock and then follows the monotonic one, so it never jumps.
public struct SystemClock: PipelineClock {
  private let startUnixMilliseconds: Int64
  private let startMonotonicMicroseconds: Int64

  public init() {
    startUnixMilliseconds = SystemTime.unixMilliseconds
    startMonotonicMicroseconds = SystemTime.monotonicMicroseconds
  }

  public var now: Moment {
    let elapsed = SystemTime.monotonicMicroseconds - startMonotonicMicroseconds
    return Moment(unixMilliseconds: startUnixMilliseconds + elapsed / 1_000)
  }

  /// The wall clock itself, which other processes of the machine share to the microsecond.
  public var microseconds: Int64 { SystemTime.unixMicroseconds }

  public func sleep(until moment: Moment) async throws {
    let milliseconds = moment.milliseconds(since: now)
    if milliseconds > 0 { try await Task.sleep(for: .milliseconds(milliseconds)) }
  }
}
