internal import CZeroMQ

/// One part of a received message. The library holds its bytes, and copies them only on request.
@safe
public final class Frame {
  var message = zmq_msg_t()

  init() {
    unsafe zmq_msg_init(&message)
  }

  deinit {
    unsafe zmq_msg_close(&message)
  }

  /// Whether more parts of the same message follow.
  public var hasMore: Bool { unsafe zmq_msg_more(&message) != 0 }

  /// What the library knows of the connection it came by, such as `Peer-Address`; nil for what it does not know.
  public func property(_ name: String) -> String? {
    unsafe zmq_msg_gets(&message, name).map { unsafe String(cString: $0) }
  }

  public var count: Int { unsafe zmq_msg_size(&message) }

  public var bytes: [UInt8] {
    unsafe withUnsafeMutablePointer(to: &message) { pointer in
      // Small messages lie inside the structure itself.
      unsafe [UInt8](
        UnsafeRawBufferPointer(start: zmq_msg_data(pointer), count: zmq_msg_size(pointer)))
    }
  }
}
