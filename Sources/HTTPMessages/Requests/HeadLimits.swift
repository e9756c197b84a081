/// Limits of a request's head, and of what only frames its body.
public struct HeadLimits: Hashable, Sendable {
  public var targetBytes = 8 << 10
  /// At most 65,535: places in a head are kept in 16 bits.
  public var headBytes = 16 << 10
  public var fields = 64
  /// Of all chunks of a body together.
  public var extensionBytes = 256

  public init() {}
}
