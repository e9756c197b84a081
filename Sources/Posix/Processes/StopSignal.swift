internal import CPosix

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
