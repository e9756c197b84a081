internal import CZeroMQ

/// The libzmq that this process runs with.
public enum ZeroMQLibrary {
  public static var version: String {
    var (major, minor, patch): (CInt, CInt, CInt) = (0, 0, 0)
    unsafe zmq_version(&major, &minor, &patch)
    return "\(major).\(minor).\(patch)"
  }

  /// What the names of its own threads begin with, which connect sockets and take connections.
  public static var threadName: String { "ZMQbg" }

  /// How many of them there are for a ``Context`` once it has a socket: one does that, and one closes.
  public static var threadCount: Int { 2 }

  /// Whether it can encrypt TCP.
  public static var hasCurve: Bool { unsafe zmq_has("curve") == 1 }
}
