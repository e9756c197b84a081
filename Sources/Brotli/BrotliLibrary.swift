internal import CBrotli

/// The libbrotlidec that this process runs with.
public enum BrotliLibrary {
  public static var version: String {
    // Eight bits, and twice twelve.
    let number = BrotliDecoderVersion()
    return "\(number >> 24).\(number >> 12 & 0xFFF).\(number & 0xFFF)"
  }
}
