internal import CPosix

/// Readings of the system's clocks.
public enum SystemTime {
  /// Microseconds of a clock that never jumps.
  public static var monotonicMicroseconds: Int64 {
    reading(of: CLOCK_MONOTONIC, unitsPerSecond: 1_000_000)
  }

  /// Microseconds since 1970.
  public static var unixMicroseconds: Int64 {
    reading(of: CLOCK_REALTIME, unitsPerSecond: 1_000_000)
  }

  /// Milliseconds since 1970.
  public static var unixMilliseconds: Int64 {
    reading(of: CLOCK_REALTIME, unitsPerSecond: 1_000)
  }

  /// Microseconds that the calling thread has had a processor. Other work on the machine does not change it.
  public static var threadMicroseconds: Int64 {
    reading(of: CLOCK_THREAD_CPUTIME_ID, unitsPerSecond: 1_000_000)
  }

  private static func reading(of clock: clockid_t, unitsPerSecond: Int64) -> Int64 {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Int64(time.tv_sec) * unitsPerSecond + Int64(time.tv_nsec) / (1_000_000_000 / unitsPerSecond)
  }
}
