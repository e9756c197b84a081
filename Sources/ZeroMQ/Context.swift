internal import CZeroMQ

/// The library's threads and the sockets' home. Sockets keep it alive; it ends in the background after the last one.
@safe
public final class Context: Sendable {
  /// The library lets any thread use a context, and it never changes here.
  nonisolated(unsafe) let handle: UnsafeMutableRawPointer

  /// - Parameter mostSockets: A lane takes three: its own and the two ends of its monitor.
  public init(mostSockets: Int32) throws(ZeroMQError) {
    guard let handle = unsafe zmq_ctx_new() else { throw ZeroMQError(call: "zmq_ctx_new") }
    unsafe self.handle = unsafe handle
    let limit = unsafe zmq_ctx_get(handle, ZMQ_SOCKET_LIMIT)
    unsafe zmq_ctx_set(handle, ZMQ_MAX_SOCKETS, limit > 0 ? min(limit, mostSockets) : mostSockets)
  }

  /// Starts the library's threads: one makes connections and takes them, and one closes sockets. The first socket does it
  /// otherwise. They are confined as the calling thread is.
  public func startThreads() throws(ZeroMQError) {
    _ = try Socket(.pair, in: self)
  }

  deinit {
    unsafe czmq_terminate_in_background(handle)
  }
}
