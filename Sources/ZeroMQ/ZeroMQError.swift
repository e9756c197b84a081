internal import CZeroMQ

/// A call of the library that failed.
public struct ZeroMQError: Error, Hashable, Sendable {
  /// What the caller can do something about.
  public enum Cause: Hashable, Sendable {
    case addressInUse
    /// The machine has no such address, or the path leads nowhere.
    case noSuchAddress
    /// The process has as many descriptors or sockets as it may have.
    case exhausted
    case other
  }

  /// The C function's name, such as `zmq_bind`.
  public var call: String
  /// The value of `errno`.
  public var code: Int32

  /// Reads the library's error, so it must be the next thing done after the failed call.
  init(call: String) {
    self.call = call
    code = zmq_errno()
  }

  public var cause: Cause {
    switch code {
    case EADDRINUSE: .addressInUse
    case EADDRNOTAVAIL, ENODEV, ENOENT, ENOTDIR, EACCES: .noSuchAddress
    case EMFILE, ENFILE: .exhausted
    default: .other
    }
  }

  /// One line for people, such as `zmq_bind: Address already in use`.
  public var message: String {
    let text = unsafe zmq_strerror(code).map { unsafe String(cString: $0) }
    return "\(call): \(text ?? "error \(code)")"
  }
}
