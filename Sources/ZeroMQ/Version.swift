internal import CZeroMQ

/// The library's version, such as `4.3.4`.
public var zeroMQVersion: String {
  var (major, minor, patch): (Int32, Int32, Int32) = (0, 0, 0)
  unsafe zmq_version(&major, &minor, &patch)
  return "\(major).\(minor).\(patch)"
}
