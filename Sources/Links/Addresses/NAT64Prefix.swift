/// The prefix under which a network's NAT64 reaches IPv4 addresses (RFC 6052).
public struct NAT64Prefix: Hashable, Sendable, CustomStringConvertible {
  private static let lengths = [32, 40, 48, 56, 64, 96]
  /// What a name server with such a prefix wraps for `discoveryName` (RFC 7050).
  private static let wellKnown: Set = [IPAddress(v4: 0xC000_00AA), IPAddress(v4: 0xC000_00AB)]

  /// A name with no IPv6 address of its own: those that the resolver tells are made of the network's prefixes.
  public static let discoveryName = "ipv4only.arpa"

  private let range: AddressRange

  /// Reads `2001:db8:64::/96`.
  public init(_ text: String) throws(LinkError) {
    guard let range = try? AddressRange(cidr: text), let prefix = Self(range) else {
      throw .invalidNAT64Prefix(text)
    }
    self = prefix
  }

  private init?(_ range: AddressRange) {
    guard !range.first.isV4, Self.lengths.contains(range.prefix) else { return nil }
    self.range = range
  }

  /// All that can have made one of these addresses of `discoveryName`.
  public static func found(in addresses: [IPAddress]) -> [NAT64Prefix] {
    var found: [NAT64Prefix] = []
    for address in addresses where !address.isV4 {
      for length in lengths {
        guard let range = try? AddressRange(cidr: "\(address)/\(length)"), let prefix = Self(range),
          let inner = prefix.inner(of: address), wellKnown.contains(inner), !found.contains(prefix)
        else { continue }
        found.append(prefix)
      }
    }
    return found
  }

  /// The IPv4 address that an address of this prefix leads to; nil for any other address.
  func inner(of address: IPAddress) -> IPAddress? {
    guard range.contains(address) else { return nil }
    guard range.prefix < 96 else { return address.lowV4 }
    // It stands behind the prefix, and leaves out the ninth byte.
    let joined = ((address.bits >> 64) << 56) | (address.bits & ((1 << 56) - 1))
    return IPAddress(v4: UInt32(truncatingIfNeeded: joined >> UInt128(88 - range.prefix)))
  }

  public var description: String { range.description }
}
