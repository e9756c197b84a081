internal import CZeroMQ

/// The libzmq that this process runs with.
public enum ZeroMQLibrary {
  public static var version: String {
    var (major, minor, patch): (CInt, CInt, CInt) = (0, 0, 0)
    unsafe zmq_version(&major, &minor, &patch)
    return "\(major).\(minor).\(patch)"
  }

  /// Whether it can encrypt TCP.
  public static var hasCurve: Bool { unsafe zmq_has("curve") == 1 }
}
