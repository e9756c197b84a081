/// An IPv4 or IPv6 address.
public struct IPAddress: Hashable, Sendable {
  enum Family: Hashable, Sendable {
    case v4
    case v6

    var width: Int {
      switch self {
      case .v4: 32
      case .v6: 128
      }
    }
  }

  let family: Family
  /// The address as a number; an IPv4 address uses the low 32 bits.
  let bits: UInt128

  init(family: Family, bits: UInt128) {
    self.family = family
    self.bits = bits
  }

  /// An IPv4 address from its number: 127.0.0.1 is 0x7F00_0001.
  public init(v4: UInt32) {
    self.init(family: .v4, bits: UInt128(v4))
  }

  /// An IPv6 address from its 16 bytes in network order; nil when there are more or fewer.
  public init?(v6 bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    self.init(family: .v6, bits: bytes.reduce(0) { $0 << 8 | UInt128($1) })
  }

  /// Reads what `inet_ntop` writes: four plain decimal parts, or IPv6 without brackets and zone.
  public init?(_ text: String) {
    let bytes = text.utf8Span.span
    guard let address = IPAddress(v4Text: bytes) ?? IPAddress(v6Text: bytes) else {
      return nil
    }
    self = address
  }

  public var isV4: Bool { family == .v4 }

  /// An IPv6 address that routers of its network know.
  public var isRoutedV6: Bool {
    switch SpecialRanges.use(of: self) {
    case nil, .uniqueLocal: !isV4
    default: false
    }
  }

  /// The IPv4 address that `::ffff:0:0/96` wraps; dialling the one reaches the other.
  var mappedV4: IPAddress? {
    guard family == .v6, bits >> 32 == 0xFFFF else { return nil }
    return lowV4
  }

  /// The last 32 bits as an IPv4 address.
  var lowV4: IPAddress {
    IPAddress(v4: UInt32(truncatingIfNeeded: bits))
  }
}
