internal import CCompression

/// The checksum of gzip and PNG.
///
/// - Parameter start: That of the bytes before these.
public func crc32(_ bytes: Span<UInt8>, after start: UInt32 = 0) -> UInt32 {
  unsafe bytes.withUnsafeBufferPointer {
    unsafe crc32_gzip_refl(start, $0.baseAddress, UInt64($0.count))
  }
}

/// The Castagnoli checksum.
public enum CRC32C {
  public static func of(_ bytes: Span<UInt8>) -> UInt32 {
    finished(update(initial, bytes))
  }

  /// The state before the first byte.
  public static var initial: UInt32 { ~0 }

  public static func finished(_ state: UInt32) -> UInt32 { ~state }

  public static func update(_ state: UInt32, _ bytes: Span<UInt8>) -> UInt32 {
    let piece = bytes.extracting(first: Int(Int32.max))
    let next = unsafe piece.withUnsafeBufferPointer {
      // Never written through; the pointer is mutable for want of const only.
      unsafe crc32_iscsi(UnsafeMutablePointer(mutating: $0.baseAddress), Int32($0.count), state)
    }
    return piece.count == bytes.count ? next : update(next, bytes.extracting(piece.count..<bytes.count))
  }
}
