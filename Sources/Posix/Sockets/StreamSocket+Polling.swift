internal import CPosix

/// Calls that never wait, for sockets that a `Poller` watches.
extension StreamSocket {
  public enum Received: Hashable, Sendable {
    case bytes([UInt8])
    /// Nothing has come yet.
    case nothing
    /// Nothing more will come.
    case end
  }

  /// Takes what has come.
  public func receiveNow(limit: Int) -> Received {
    var wouldWait = false
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: max(1, limit)) { buffer, initialized in
      let count = unsafe recv(descriptor.number, buffer.baseAddress, buffer.count, 0)
      wouldWait = count < 0 && [EAGAIN, EINTR].contains(cposix_errno())
      initialized = max(0, count)
    }
    return wouldWait ? .nothing : bytes.isEmpty ? .end : .bytes(bytes)
  }

  /// Sends as much as there is room for, from a place in the bytes on; nil when the peer is gone.
  public func sendNow(_ bytes: [UInt8], from start: Int) -> Int? {
    let count = send(bytes, from: start)
    if count >= 0 { return count }
    return [EAGAIN, EINTR].contains(cposix_errno()) ? 0 : nil
  }

  /// -1 with an error.
  func send(_ bytes: [UInt8], from start: Int) -> Int {
    unsafe bytes.withUnsafeBytes { buffer in
      let rest = unsafe buffer[start...]
      return unsafe cposix_send(
        descriptor.number, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
    }
  }

  /// Who is at the other end; nil for a Unix socket.
  public var peer: PeerConnection? { PeerConnection(descriptor: descriptor.number) }
}
