internal import CPosix

/// A TCP connection that a library accepted and closes by itself: its descriptor may lead elsewhere at any time.
public struct PeerConnection: Hashable, Sendable {
  public let descriptor: Int32
  private let high: UInt64
  private let low: UInt64
  private let port: UInt16

  /// nil for what is no TCP connection, any more or yet.
  public init?(descriptor: Int32) {
    var (high, low, port): (UInt64, UInt64, UInt16) = (0, 0, 0)
    guard unsafe cposix_peer(descriptor, &high, &low, &port) == 0 else { return nil }
    self.init(descriptor: descriptor, high: high, low: low, port: port)
  }

  init(descriptor: Int32, high: UInt64, low: UInt64, port: UInt16) {
    (self.descriptor, self.high, self.low, self.port) = (descriptor, high, low, port)
  }

  /// The peer's address, or what one of IPv6 shares with others that its owner has.
  public var network: [UInt64] { high == 0 ? [high, low] : [high] }

  /// The peer's address, as people read it.
  public var host: String {
    if high == 0, low >> 32 == 0xFFFF {
      return [24, 16, 8, 0].map { "\(UInt8(truncatingIfNeeded: low >> $0))" }.joined(separator: ".")
    }
    let groups = [high, low].flatMap { half in [48, 32, 16, 0].map { UInt16(truncatingIfNeeded: half >> $0) }
    }
    return groups.map { String($0, radix: 16) }.joined(separator: ":")
  }

  /// Bytes of ours that the peer has; 0 when the connection is gone.
  public var acknowledgedBytes: UInt64 { isThere ? cposix_acknowledged_bytes(descriptor) : 0 }

  /// Ends it, and leaves it to the library to close it.
  public func cut() {
    if isThere { _ = cposix_shut_down(descriptor) }
  }

  /// The descriptor still leads to this peer.
  public var isThere: Bool { PeerConnection(descriptor: descriptor) == self }
}
