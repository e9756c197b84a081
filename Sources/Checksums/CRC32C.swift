internal import CChecksums

/// The Castagnoli checksum: by the processor's own instructions, or by tables where it has none.
public enum CRC32C {
  private static let isBuiltIn = cchecksums_has_crc32c()

  public static func of(_ bytes: Span<UInt8>) -> UInt32 {
    finished(update(initial, bytes))
  }

  /// The state before the first byte.
  public static var initial: UInt32 { ~0 }

  public static func finished(_ state: UInt32) -> UInt32 { ~state }

  public static func update(_ state: UInt32, _ bytes: Span<UInt8>) -> UInt32 {
    guard isBuiltIn else { return CRC32CTables.update(state, bytes) }
    return unsafe bytes.withUnsafeBufferPointer {
      unsafe cchecksums_crc32c(state, $0.baseAddress, $0.count)
    }
  }
}
