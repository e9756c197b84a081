internal import CZeroMQ

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
