internal import CZeroMQ

/// A setting of a socket. Times are milliseconds.
public struct SocketOption: Sendable {
  enum Value {
    case number(Int32)
    case wideNumber(Int64)
    case bytes([UInt8])
  }

  let code: Int32
  let value: Value

  private init(_ code: Int32, _ value: Int32) {
    (self.code, self.value) = (code, .number(value))
  }

  private init(_ code: Int32, _ bytes: [UInt8]) {
    (self.code, self.value) = (code, .bytes(bytes))
  }

  private init(_ code: Int32, wide value: Int64) {
    (self.code, self.value) = (code, .wideNumber(value))
  }

  /// How long what is unsent lives on after the socket.
  public static func linger(_ time: Int32) -> Self { Self(ZMQ_LINGER, time) }
  /// Messages that may wait in the socket for sending; 0 means any number.
  public static func sendHighWaterMark(_ count: Int32) -> Self { Self(ZMQ_SNDHWM, count) }
  /// Messages that may wait in the socket for a receiver; 0 means any number.
  public static func receiveHighWaterMark(_ count: Int32) -> Self { Self(ZMQ_RCVHWM, count) }
  /// The system's send buffer of each connection.
  public static func sendBuffer(_ bytes: Int32) -> Self { Self(ZMQ_SNDBUF, bytes) }
  /// The system's receive buffer of each connection.
  public static func receiveBuffer(_ bytes: Int32) -> Self { Self(ZMQ_RCVBUF, bytes) }
  /// A peer that sends a larger message is disconnected.
  public static func largestMessage(_ bytes: Int64) -> Self { Self(ZMQ_MAXMSGSIZE, wide: bytes) }
  /// Nothing is queued for a peer that is not connected.
  public static var onlyToConnectedPeers: Self { Self(ZMQ_IMMEDIATE, 1) }
  public static func reconnectInterval(_ time: Int32) -> Self { Self(ZMQ_RECONNECT_IVL, time) }
  public static func longestReconnectInterval(_ time: Int32) -> Self { Self(ZMQ_RECONNECT_IVL_MAX, time) }
  public static func handshakeLimit(_ time: Int32) -> Self { Self(ZMQ_HANDSHAKE_IVL, time) }
  public static func heartbeatInterval(_ time: Int32) -> Self { Self(ZMQ_HEARTBEAT_IVL, time) }
  public static func heartbeatTimeout(_ time: Int32) -> Self { Self(ZMQ_HEARTBEAT_TIMEOUT, time) }
  /// How long the peer waits for our next sign of life; above 65.5 s it wraps.
  public static func heartbeatLifetime(_ time: Int32) -> Self { Self(ZMQ_HEARTBEAT_TTL, time) }
  /// Connections that may wait to be accepted.
  public static func backlog(_ count: Int32) -> Self { Self(ZMQ_BACKLOG, count) }
  public static var allowsIPv6: Self { Self(ZMQ_IPV6, 1) }

  /// Clients must prove who they are.
  public static var isCurveServer: Self { Self(ZMQ_CURVE_SERVER, 1) }
  public static func curvePublicKey(_ key: CurveKey) -> Self { Self(ZMQ_CURVE_PUBLICKEY, key.bytes) }
  public static func curveSecretKey(_ key: CurveKey) -> Self { Self(ZMQ_CURVE_SECRETKEY, key.bytes) }
  /// The server that a client expects to meet.
  public static func curveServerKey(_ key: CurveKey) -> Self { Self(ZMQ_CURVE_SERVERKEY, key.bytes) }
  /// Connections are put before the context's authenticator under this name.
  public static func authenticationDomain(_ name: String) -> Self { Self(ZMQ_ZAP_DOMAIN, Array(name.utf8)) }
  /// Without an authenticator no client is let in.
  public static var requiresAuthenticator: Self { Self(ZMQ_ZAP_ENFORCE_DOMAIN, 1) }
}
