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

/// One half of a key pair: 32 bytes, shown as 40 characters of Z85.
public struct CurveKey: Hashable, Sendable {
  public let bytes: [UInt8]

  /// Nil when these are not 32 bytes.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  /// Nil for what is no key.
  public init?(z85 text: String) {
    guard text.utf8.count == 40, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
    var decoded = [UInt8](repeating: 0, count: 32)
    let status = unsafe decoded.withUnsafeMutableBytes {
      unsafe zmq_z85_decode($0.baseAddress?.assumingMemoryBound(to: UInt8.self), text)
    }
    guard unsafe status != nil else { return nil }
    bytes = decoded
  }

  public var z85: String {
    var text = [CChar](repeating: 0, count: 41)
    unsafe zmq_z85_encode(&text, bytes, bytes.count)
    return String(decoding: text.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

/// A peer's identity, and the proof of it.
public struct CurveKeyPair: Hashable, Sendable {
  public var publicKey: CurveKey
  public var secretKey: CurveKey

  public init(publicKey: CurveKey, secretKey: CurveKey) {
    self.publicKey = publicKey
    self.secretKey = secretKey
  }

  /// A new pair; nil when the library was built without encryption.
  public static func generate() -> CurveKeyPair? {
    var publicText = [CChar](repeating: 0, count: 41)
    var secretText = [CChar](repeating: 0, count: 41)
    guard unsafe zmq_curve_keypair(&publicText, &secretText) == 0 else { return nil }
    let texts = [publicText, secretText].map { text in
      String(decoding: text.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
    guard let publicKey = CurveKey(z85: texts[0]), let secretKey = CurveKey(z85: texts[1]) else { return nil }
    return CurveKeyPair(publicKey: publicKey, secretKey: secretKey)
  }
}

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

/// A call of the library that failed.
public struct ZeroMQError: Error, Hashable, Sendable {
  /// What the caller can do something about.
  public enum Cause: Hashable, Sendable {
    case addressInUse
    /// The machine has no such address, or the path leads nowhere.
    case noSuchAddress
    /// The process has as many descriptors or sockets as it may have.
    case exhausted
    /// The disk has no room for a socket's file.
    case noRoom
    case other
  }

  /// The C function's name, such as `zmq_bind`.
  public var call: String
  /// The value of `errno`.
  public var code: Int32

  /// Reads the library's error, so it must be the next thing done after the failed call.
  init(call: String) {
    self.call = call
    code = zmq_errno()
  }

  public var cause: Cause {
    switch code {
    case EADDRINUSE: .addressInUse
    case EADDRNOTAVAIL, ENODEV, ENOENT, ENOTDIR, EACCES: .noSuchAddress
    case EMFILE, ENFILE: .exhausted
    case ENOSPC, EDQUOT: .noRoom
    default: .other
    }
  }

  /// One line for people, such as `zmq_bind: Address already in use`.
  public var message: String {
    let text = unsafe zmq_strerror(code).map { unsafe String(cString: $0) }
    return "\(call): \(text ?? "error \(code)")"
  }
}

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
