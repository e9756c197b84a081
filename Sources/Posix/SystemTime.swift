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

  /// When the clocks of this machine's time zone show a time of day next, in seconds since 1970.
  ///
  /// - Parameter now: Seconds since 1970; it is after that.
  public static func next(hour: Int32, minute: Int32, after now: Int64) -> Int64 {
    var (time, local) = unsafe (time_t(now), tm())
    unsafe localtime_r(&time, &local)
    unsafe (local.tm_hour, local.tm_min, local.tm_sec, local.tm_isdst) = (hour, minute, 0, -1)
    var tomorrow = unsafe local
    unsafe tomorrow.tm_mday += 1
    let today = unsafe Int64(mktime(&local))
    return today > now ? today : unsafe Int64(mktime(&tomorrow))
  }

  private static func reading(of clock: clockid_t, unitsPerSecond: Int64) -> Int64 {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Int64(time.tv_sec) * unitsPerSecond + Int64(time.tv_nsec) / (1_000_000_000 / unitsPerSecond)
  }
}
