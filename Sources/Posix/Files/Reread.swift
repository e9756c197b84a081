/// A value of the system's that may change at any time, read again when it is older than it may be.
///
/// It reads only when asked.
public final class Reread<Value: Sendable>: Sendable {
  private let state: Lock<(value: Value, readAt: Int64)>
  private let microseconds: Int64
  private let now: @Sendable () -> Int64
  private let read: @Sendable () -> Value?

  /// - Parameters:
  ///   - first: What holds until a value could be read.
  ///   - milliseconds: How old a value may be.
  ///   - now: Microseconds of a clock that never jumps.
  ///   - read: nil when the system does not tell, and then the last value stays.
  public init(
    _ first: Value, every milliseconds: Int64,
    now: @escaping @Sendable () -> Int64 = { SystemTime.monotonicMicroseconds },
    read: @escaping @Sendable () -> Value?
  ) {
    microseconds = milliseconds * 1_000
    (self.now, self.read) = (now, read)
    state = Lock((read() ?? first, now()))
  }

  /// Not older than it may be.
  public var value: Value {
    let time = now()
    let (known, readAt) = state.withLock { ($0.value, $0.readAt) }
    guard time - readAt >= microseconds else { return known }
    let fresh = read() ?? known
    state.withLock { $0 = (fresh, time) }
    return fresh
  }
}
