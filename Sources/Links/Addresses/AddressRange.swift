/// A range of addresses in CIDR form.
public struct AddressRange: Hashable, Sendable, CustomStringConvertible {
  let network: IPAddress
  let prefix: Int
  private let mask: UInt128

  /// Reads `10.0.0.0/8` or `fd00::/8`; a single address is a range of one.
  ///
  /// Bits behind the prefix are ignored, so `127.0.0.1/8` is `127.0.0.0/8`.
  public init(cidr text: String) throws(LinkError) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let address = IPAddress(String(first)) else {
      throw .invalidAddressRange(text)
    }
    var prefix = address.family.width
    if parts.count == 2 {
      guard let given = Self.prefixLength(parts[1]), given <= prefix else {
        throw .invalidAddressRange(text)
      }
      prefix = given
    }
    self.init(address, prefix: prefix)
  }

  /// `prefix` is at most the width of the address.
  private init(_ address: IPAddress, prefix: Int) {
    let width = address.family.width
    let all: UInt128 = address.isV4 ? UInt128(UInt32.max) : .max
    mask = all & ~(all >> UInt128(prefix))
    network = IPAddress(family: address.family, bits: address.bits & mask)
    self.prefix = min(prefix, width)
  }

  private static func prefixLength(_ text: Substring) -> Int? {
    guard (1...3).contains(text.utf8.count), text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
    return Int(text)
  }

  public func contains(_ address: IPAddress) -> Bool {
    address.family == network.family && address.bits & mask == network.bits
  }

  public var description: String { "\(network)/\(prefix)" }

  var first: IPAddress { network }

  var last: IPAddress {
    let all: UInt128 = network.isV4 ? UInt128(UInt32.max) : .max
    return IPAddress(family: network.family, bits: network.bits | (all & ~mask))
  }
}
