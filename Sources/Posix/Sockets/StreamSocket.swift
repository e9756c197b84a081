internal import CPosix

/// One end of a connection; closed when the last reference to it goes.
public final class StreamSocket: Sendable {
  public let descriptor: Descriptor

  init(_ descriptor: Descriptor) {
    self.descriptor = descriptor
  }

  /// Connects to a port of 127.0.0.1.
  ///
  /// Throws `ETIMEDOUT` when the listener's queue is full for so many milliseconds, -1 being for ever.
  public static func connect(port: UInt16, milliseconds: Int32 = -1) throws(PosixError) -> StreamSocket {
    let descriptor = try Descriptor(owning: cposix_tcp_socket(), from: "socket")
    if cposix_connect_loopback(descriptor.number, port) != 0 {
      let error = PosixError(call: "connect")
      guard error.code == EINPROGRESS else { throw error }
      guard try wait(for: descriptor.number, .writing, milliseconds: milliseconds) else {
        throw PosixError(call: "connect", code: ETIMEDOUT)
      }
      let code = cposix_pending_error(descriptor.number)
      guard code == 0 else { throw PosixError(call: "connect", code: code) }
    }
    return StreamSocket(descriptor)
  }

  /// Waits for bytes; empty when the peer will send no more.
  ///
  /// Throws `ETIMEDOUT` after so many milliseconds, -1 being for ever.
  public func read(
    limit: Int = 16_384, unless stop: StopSignal? = nil, milliseconds: Int32 = -1
  ) throws(PosixError) -> [UInt8] {
    guard try wait(for: descriptor.number, .reading, unless: stop, milliseconds: milliseconds) else {
      throw PosixError(call: "read", code: ETIMEDOUT)
    }
    return try readChunk(descriptor.number, limit: limit)
  }

  /// Writes all bytes; a peer that is gone gives `EPIPE` or `ECONNRESET`, never a signal.
  ///
  /// Throws `ETIMEDOUT` when the peer takes nothing for so many milliseconds, -1 being for ever.
  public func write(
    _ bytes: [UInt8], unless stop: StopSignal? = nil, milliseconds: Int32 = -1
  ) throws(PosixError) {
    var written = 0
    while written < bytes.count {
      let count = send(bytes, from: written)
      guard count < 0 else {
        written += count
        continue
      }
      let error = PosixError(call: "send")
      switch error.code {
      case EINTR: continue
      case EAGAIN:
        guard try wait(for: descriptor.number, .writing, unless: stop, milliseconds: milliseconds) else {
          throw PosixError(call: "send", code: ETIMEDOUT)
        }
      default: throw error
      }
    }
  }

  /// Makes the coming close a reset.
  public func resetOnClose() {
    _ = cposix_reset_on_close(descriptor.number)
  }

  /// Tells the peer that nothing more will come; reading goes on.
  public func finishWriting() {
    _ = cposix_shutdown_writing(descriptor.number)
  }
}
