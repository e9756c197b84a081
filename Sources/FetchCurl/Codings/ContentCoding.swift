/// A coding of a body that can be undone here.
enum ContentCoding: Sendable {
  case gzip
  case deflate
  case brotli
  case zstandard

  /// What requests say in their Accept-Encoding header.
  static let accepted = "gzip, deflate, br, zstd"

  /// By its name in a header, in any case; nil when it is unknown.
  init?(_ name: Span<UInt8>) {
    if name.isNamed("gzip") || name.isNamed("x-gzip") {
      self = .gzip
    } else if name.isNamed("deflate") {
      self = .deflate
    } else if name.isNamed("br") {
      self = .brotli
    } else if name.isNamed("zstd") {
      self = .zstandard
    } else {
      return nil
    }
  }
}
