/// Limits of a request's head, and of what only frames its body.
enum HeadLimits {
  static let targetBytes = 8 << 10
  /// At most 65,535: places in a head are kept in 16 bits.
  static let headBytes = 16 << 10
  static let fields = 64
  /// Of all chunks of a body together.
  static let extensionBytes = 256
}
