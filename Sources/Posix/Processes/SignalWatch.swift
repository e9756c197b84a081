internal import CPosix

/// Signals as calls on a thread of their own, where anything may be done.
public enum SignalWatch {
  public static let interrupt: Int32 = SIGINT
  public static let terminate: Int32 = SIGTERM
  /// The terminal is gone, or the configuration is to be read again.
  public static let hangUp: Int32 = SIGHUP
  /// Asks a fleet to end in order, however often it comes.
  public static let endInOrder: Int32 = SIGUSR1
  /// It cannot be watched; it ends the process that gets it.
  public static let kill: Int32 = SIGKILL

  /// Calls `handler` for each of `signals` from now on, for the rest of the process's life.
  ///
  /// - Parameter always: Those of them that are watched even where the parent had them ignored.
  public static func start(
    _ signals: [Int32], always: Set<Int32> = [], _ handler: @escaping @Sendable (Int32) -> Void
  ) throws(PosixError) {
    let reader = try makeReader()
    _ = try Thread.start(name: "signals") {
      while let caught = try? readChunk(reader, limit: 1), let number = caught.first {
        handler(Int32(number))
      }
    }
    for signal in signals { try catchSignal(signal, always: always.contains(signal)) }
  }

  /// Lets this process outlive its terminal. A SIGHUP that comes before `start` is passed to the handler then.
  public static func holdHangUp() throws(PosixError) {
    _ = try makeReader()
    try catchSignal(hangUp, always: true)
  }

  private static func makeReader() throws(PosixError) -> Int32 {
    let reader = cposix_catch_signals_through_pipe()
    guard reader >= 0 else { throw PosixError(call: "pipe") }
    return reader
  }

  private static func catchSignal(_ signal: Int32, always: Bool) throws(PosixError) {
    guard cposix_catch_signal(signal, always ? 1 : 0) == 0 else { throw PosixError(call: "sigaction") }
  }

  /// Makes a signal do again what it does by default.
  public static func restore(_ signal: Int32) {
    cposix_restore_signal(signal)
  }
}

/// A switch that is thrown once and wakes every thread that waits with it.
public final class StopSignal: Sendable {
  let descriptor: Descriptor

  /// A signal that is not raised yet; it takes one file descriptor.
  public init() throws(PosixError) {
    descriptor = try Descriptor(owning: cposix_event_counter(0, 0), from: "eventfd")
  }

  /// Wakes all waits, present and future.
  public func raise() {
    addOne(to: descriptor)
  }

  /// Lets the time go by; throws as soon as the signal is raised.
  public func sleep(milliseconds: Int32) throws(PosixError) {
    _ = try wait(for: -1, .reading, unless: self, milliseconds: max(0, milliseconds))
  }
}

/// A number of permits, for bounding how many of something run at once.
public final class Permits: Sendable {
  private let descriptor: Descriptor

  /// Starts with `count` free permits.
  public init(_ count: UInt32) throws(PosixError) {
    descriptor = try Descriptor(owning: cposix_event_counter(count, 1), from: "eventfd")
  }

  /// Waits for a free permit and takes it.
  public func take(unless stop: StopSignal) throws(PosixError) {
    while true {
      _ = try wait(for: descriptor.number, .reading, unless: stop)
      // Another thread may have been faster; then the counter has nothing to give and the wait starts again.
      if try !readChunk(descriptor.number, limit: 8).isEmpty { return }
    }
  }

  /// Gives a permit back.
  public func giveBack() {
    addOne(to: descriptor)
  }
}

func addOne(to counter: Descriptor) {
  var one: UInt64 = 1
  _ = unsafe write(counter.number, &one, 8)
}
