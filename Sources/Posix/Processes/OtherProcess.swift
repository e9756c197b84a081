internal import CPosix

/// A process that is not a child of ours. It stays the same one: its id may be another's once it has ended.
public final class OtherProcess: Sendable {
  public let id: Int32
  private let descriptor: Descriptor

  /// nil when there is no such process.
  public init?(_ id: Int32) throws(PosixError) {
    self.id = id
    do throws(PosixError) {
      descriptor = try Descriptor(owning: cposix_open_process(id), from: "pidfd_open")
    } catch {
      if error.code == ESRCH { return nil }
      throw error
    }
  }

  /// Nothing happens once it has ended.
  public func send(_ signal: Int32) {
    _ = cposix_signal_process(descriptor.number, signal)
  }

  /// Blocks until it has ended (true) or the time is over (false).
  public func hasEnded(within milliseconds: Int32) throws(PosixError) -> Bool {
    try wait(for: descriptor.number, .reading, milliseconds: milliseconds)
  }
}
