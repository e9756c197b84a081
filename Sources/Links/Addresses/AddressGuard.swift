/// Decides whether an address may be dialled: public ones may, special ones only when allowed by name.
public struct AddressGuard: Sendable {
  public enum Verdict: Hashable, Sendable {
    case allowed
    /// `reason` names the range, such as `loopback`.
    case refused(reason: String)
  }

  private let allowed: [AllowedAddress]
  private let nat64: [NAT64Prefix]
  private let own: @Sendable () -> Set<IPAddress>
  private let foundNAT64: @Sendable () -> [NAT64Prefix]

  /// - Parameters:
  ///   - allowed: Wins over everything.
  ///   - nat64: Prefixes that a user named: their addresses are judged as the IPv4 addresses that they lead to.
  ///   - own: The addresses that this machine's interfaces have now, which may change while the program runs. It is asked
  ///     about public addresses only.
  ///   - foundNAT64: Prefixes that the network told of, asked about public IPv6 addresses only. They allow nothing.
  public init(
    allowed: [AllowedAddress] = [], nat64: [NAT64Prefix] = [],
    own: @escaping @Sendable () -> Set<IPAddress> = { [] },
    foundNAT64: @escaping @Sendable () -> [NAT64Prefix] = { [] }
  ) {
    (self.allowed, self.nat64) = (allowed, nat64)
    (self.own, self.foundNAT64) = (own, foundNAT64)
  }

  /// Judges the address and the port that are about to be dialled.
  public func verdict(on address: IPAddress, port: UInt16) -> Verdict {
    if isAllowed(address, port) || address.mappedV4.map({ isAllowed($0, port) }) == true { return .allowed }
    if let verdict = verdict(on: address, port, behind: nat64) { return verdict }
    if let use = SpecialRanges.use(of: address) { return .refused(reason: Self.reason(use, address)) }
    if own().contains(address) { return .refused(reason: "this machine") }
    return address.isV4 ? .allowed : verdict(on: address, port, behind: foundNAT64()) ?? .allowed
  }

  /// nil for an address of no such prefix.
  private func verdict(on address: IPAddress, _ port: UInt16, behind prefixes: [NAT64Prefix]) -> Verdict? {
    let verdicts = prefixes.compactMap { $0.inner(of: address) }.map { verdict(on: $0, port: port) }
    for case .refused(let reason) in verdicts {
      return .refused(reason: "\(SpecialUse.nat64.rawValue) (\(reason))")
    }
    return verdicts.first
  }

  /// Why a port of an address is not to be dialled; nil when it may be.
  public func refusal(of text: String, port: UInt16) -> String? {
    guard let address = IPAddress(text) else { return "unreadable" }
    return switch verdict(on: address, port: port) {
    case .allowed: nil
    case .refused(let reason): reason
    }
  }

  private func isAllowed(_ address: IPAddress, _ port: UInt16) -> Bool {
    allowed.contains { $0.contains(address, port: port) }
  }

  /// Where the address wraps a special IPv4 address, the reason names that one too.
  private static func reason(_ use: SpecialUse, _ address: IPAddress) -> String {
    let inner: IPAddress? =
      switch use {
      case .mappedV4, .compatibleV4, .nat64: address.lowV4
      case .tunnel6to4: IPAddress(v4: UInt32(truncatingIfNeeded: address.bits >> 80))
      case .teredo: IPAddress(v4: ~UInt32(truncatingIfNeeded: address.bits))
      default: nil
      }
    guard let inner, let innerUse = SpecialRanges.use(of: inner) else { return use.rawValue }
    return "\(use.rawValue) (\(innerUse.rawValue))"
  }
}

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
    guard parts.count == 2 else {
      self.init(address, prefix: address.width)
      return
    }
    guard let prefix = Self.prefixLength(parts[1]), prefix <= address.width else {
      throw .invalidAddressRange(text)
    }
    self.init(address, prefix: prefix)
  }

  /// `prefix` is at most the width of the address.
  init(_ address: IPAddress, prefix: Int) {
    let all = UInt128.max >> UInt128(128 - address.width)
    mask = all & ~(all >> UInt128(prefix))
    network = IPAddress(isV4: address.isV4, bits: address.bits & mask)
    self.prefix = prefix
  }

  private static func prefixLength(_ text: Substring) -> Int? {
    guard (1...3).contains(text.utf8.count), text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
    return Int(text)
  }

  public func contains(_ address: IPAddress) -> Bool {
    address.isV4 == network.isV4 && address.bits & mask == network.bits
  }

  public var description: String { "\(network)/\(prefix)" }
}

/// Addresses that may be talked to though they are special ones, at all their ports or at one.
public struct AllowedAddress: Hashable, Sendable, CustomStringConvertible {
  let range: AddressRange
  /// nil for every port.
  let port: UInt16?

  /// Reads an address or a range in CIDR form, with a port behind it or without: `127.0.0.1`, `127.0.0.1:8080`, `::1`,
  /// `[::1]:8080`, `10.0.0.0/8`, `10.0.0.0/8:8080`, `fd00::/8`, `[fd00::/8]:8080`.
  public init(_ text: String) throws(LinkError) {
    guard let (address, portText) = Self.parts(of: text), let range = try? AddressRange(cidr: address) else {
      throw .invalidAddressRange(text)
    }
    guard let portText else {
      (self.range, port) = (range, nil)
      return
    }
    guard (1...5).contains(portText.utf8.count), portText.utf8.allSatisfy(\.isASCIIDigit),
      let port = UInt16(portText), port > 0
    else { throw .invalidAddressRange(text) }
    (self.range, self.port) = (range, port)
  }

  /// A colon belongs to an IPv6 address, unless it stands behind brackets or behind the length of a prefix.
  private static func parts(of text: String) -> (address: String, port: Substring?)? {
    if text.utf8.first == .leftBracket {
      let inner = text.dropFirst()
      guard let end = inner.firstIndex(of: "]"), inner[..<end].contains(":") else { return nil }
      let rest = inner[inner.index(after: end)...]
      guard !rest.isEmpty else { return (String(inner[..<end]), nil) }
      guard rest.first == ":" else { return nil }
      return (String(inner[..<end]), rest.dropFirst())
    }
    let isRange = text.contains("/")
    guard let colon = text.lastIndex(of: ":") else { return (text, nil) }
    let (before, after) = (text[..<colon], text[text.index(after: colon)...])
    guard isRange ? !after.contains("/") : !before.contains(":") else { return (text, nil) }
    return (String(before), after)
  }

  func contains(_ address: IPAddress, port: UInt16) -> Bool {
    (self.port ?? port) == port && range.contains(address)
  }

  public var description: String {
    guard let port else { return range.description }
    return range.network.isV4 ? "\(range):\(port)" : "[\(range)]:\(port)"
  }
}

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
    guard !range.network.isV4, Self.lengths.contains(range.prefix) else { return nil }
    self.range = range
  }

  /// All that can have made one of these addresses of `discoveryName`.
  public static func found(in addresses: [IPAddress]) -> [NAT64Prefix] {
    var found: [NAT64Prefix] = []
    for address in addresses where !address.isV4 {
      for length in lengths {
        guard let prefix = Self(AddressRange(address, prefix: length)), let inner = prefix.inner(of: address),
          wellKnown.contains(inner), !found.contains(prefix)
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

/// The IANA special-purpose registries, and where clouds keep their metadata.
enum SpecialRanges {
  /// What is narrower stands first; nil where the registry calls a part of a special range globally reachable.
  ///
  /// Of IPv6 nothing is public outside 2000::/3, so there the names of ranges only give better reasons.
  private static let texts: [(cidr: String, use: SpecialUse?)] = [
    ("0.0.0.0/32", .unspecified),
    ("0.0.0.0/8", .thisNetwork),
    ("10.0.0.0/8", .privateUse),
    ("100.100.100.200/32", .cloudMetadata),
    ("100.64.0.0/10", .carrierNAT),
    ("127.0.0.0/8", .loopback),
    ("168.63.129.16/32", .cloudMetadata),
    ("169.254.169.254/32", .cloudMetadata),
    ("169.254.170.2/32", .cloudMetadata),
    ("169.254.170.23/32", .cloudMetadata),
    ("169.254.0.0/16", .linkLocal),
    ("172.16.0.0/12", .privateUse),
    ("192.0.0.9/32", nil),
    ("192.0.0.10/32", nil),
    ("192.0.0.192/32", .cloudMetadata),
    ("192.0.0.0/24", .protocolAssignment),
    ("192.0.2.0/24", .documentation),
    ("192.88.99.0/24", .relay6to4),
    ("192.168.0.0/16", .privateUse),
    ("198.18.0.0/15", .benchmarking),
    ("198.51.100.0/24", .documentation),
    ("203.0.113.0/24", .documentation),
    ("224.0.0.0/4", .multicast),
    ("255.255.255.255/32", .broadcast),
    ("240.0.0.0/4", .reserved),
    ("::/128", .unspecified),
    ("::1/128", .loopback),
    ("::/96", .compatibleV4),
    ("::ffff:0:0/96", .mappedV4),
    ("64:ff9b::/96", .nat64),
    ("64:ff9b:1::/48", .nat64),
    ("100::/64", .discardOnly),
    ("100:0:0:1::/64", .discardOnly),
    ("2001::/32", .teredo),
    ("2001:1::1/128", nil),
    ("2001:1::2/128", nil),
    ("2001:1::3/128", nil),
    ("2001:2::/48", .benchmarking),
    ("2001:3::/32", nil),
    ("2001:4:112::/48", nil),
    ("2001:10::/28", .orchid),
    ("2001:20::/28", nil),
    ("2001:30::/28", nil),
    ("2001::/23", .protocolAssignment),
    ("2001:db8::/32", .documentation),
    ("2002::/16", .tunnel6to4),
    ("3fff::/20", .documentation),
    ("5f00::/16", .segmentRouting),
    ("fd00:ec2::254/128", .cloudMetadata),
    ("fd00:ec2::23/128", .cloudMetadata),
    ("fd20:ce::254/128", .cloudMetadata),
    ("fe80::a9fe:a9fe/128", .cloudMetadata),
    ("fc00::/7", .uniqueLocal),
    ("fe80::/10", .linkLocal),
    ("fec0::/10", .siteLocal),
    ("ff00::/8", .multicast),
  ]

  private static let rows: [(range: AddressRange, use: SpecialUse?)] = texts.compactMap { text, use in
    (try? AddressRange(cidr: text)).map { ($0, use) }
  }

  /// Nil for a public address.
  static func use(of address: IPAddress) -> SpecialUse? {
    if let row = rows.first(where: { $0.range.contains(address) }) { return row.use }
    return address.isV4 || address.bits >> 125 == 0b001 ? nil : .reserved
  }
}

/// Why an address is not on the public internet; the raw value is what people read.
enum SpecialUse: String, Hashable, Sendable {
  case thisNetwork = "this network"
  case unspecified
  case loopback
  case privateUse = "private"
  case carrierNAT = "carrier-grade NAT"
  case linkLocal = "link-local"
  case cloudMetadata = "cloud metadata"
  case protocolAssignment = "protocol assignment"
  case documentation
  case benchmarking
  case relay6to4 = "6to4 relay"
  case multicast
  case broadcast
  case reserved
  case mappedV4 = "IPv4-mapped"
  case compatibleV4 = "IPv4-compatible"
  case nat64 = "NAT64"
  case teredo = "Teredo"
  case tunnel6to4 = "6to4"
  case orchid = "ORCHID"
  case discardOnly = "discard-only"
  case segmentRouting = "segment routing"
  case uniqueLocal = "unique-local"
  case siteLocal = "site-local"
}
