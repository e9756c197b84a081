internal import CPosix

/// A Unix datagram socket. Its name is a path, or behind `@` a name in the abstract namespace.
public final class DatagramSocket: Sendable {
  private let descriptor: Descriptor

  /// Receives what is sent to `name`.
  public init(receivingAt name: String) throws(PosixError) {
    descriptor = try Descriptor(owning: cposix_datagram_socket(), from: "socket")
    guard unsafe cposix_bind_local(descriptor.number, name) == 0 else { throw PosixError(call: "bind") }
  }

  /// Waits for one datagram; throws `ETIMEDOUT` after so many milliseconds, -1 being for ever.
  public func receive(limit: Int = 4_096, milliseconds: Int32 = -1) throws(PosixError) -> [UInt8] {
    guard try wait(for: descriptor.number, .reading, milliseconds: milliseconds) else {
      throw PosixError(call: "recv", code: ETIMEDOUT)
    }
    return try readChunk(descriptor.number, limit: limit)
  }
}
