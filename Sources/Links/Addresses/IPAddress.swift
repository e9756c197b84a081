import Posix

/// An IPv4 or IPv6 address.
public struct IPAddress: Hashable, Sendable {
  public let isV4: Bool
  /// The address as a number; an IPv4 address uses the low 32 bits.
  let bits: UInt128

  init(isV4: Bool, bits: UInt128) {
    (self.isV4, self.bits) = (isV4, bits)
  }

  /// An IPv4 address from its number: 127.0.0.1 is 0x7F00_0001.
  public init(v4: UInt32) {
    self.init(isV4: true, bits: UInt128(v4))
  }

  /// Reads what `inet_ntop` writes: four plain decimal parts, or IPv6 without brackets and zone.
  public init?(_ text: String) {
    self.init(text.utf8Span.span)
  }

  init?(_ text: Span<UInt8>) {
    guard let (number, isV4) = addressNumber(of: text) else { return nil }
    self.init(isV4: isV4, bits: number)
  }

  /// Reads the host of a serialised URL: IPv4, or IPv6 in brackets.
  init?(bracketed host: String) {
    self.init(host.utf8.first == .leftBracket ? String(host.dropFirst().dropLast()) : host)
  }

  /// How many bits an address of its version has.
  var width: Int { isV4 ? 32 : 128 }

  /// An IPv6 address that routers of its network know.
  public var isRoutedV6: Bool {
    switch SpecialRanges.use(of: self) {
    case nil, .uniqueLocal: !isV4
    default: false
    }
  }

  /// The IPv4 address that `::ffff:0:0/96` wraps; dialling the one reaches the other.
  var mappedV4: IPAddress? { !isV4 && bits >> 32 == 0xFFFF ? lowV4 : nil }

  /// The last 32 bits as an IPv4 address.
  var lowV4: IPAddress {
    IPAddress(v4: UInt32(truncatingIfNeeded: bits))
  }
}

extension IPAddress: CustomStringConvertible {
  /// Dotted decimal, or the IPv6 form of RFC 5952.
  public var description: String { isV4 ? v4Description : v6Description }

  private var v4Description: String {
    var text: [UInt8] = []
    text.reserveCapacity(15)
    for shift in [24, 16, 8, 0] {
      let part = UInt8(truncatingIfNeeded: bits >> shift)
      if shift < 24 { text.append(.dot) }
      if part >= 100 { text.append(.zero + part / 100) }
      if part >= 10 { text.append(.zero + part / 10 % 10) }
      text.append(.zero + part % 10)
    }
    return String(decoding: text, as: UTF8.self)
  }

  private var v6Description: String {
    let groups = (0..<8).map { UInt16(truncatingIfNeeded: bits >> (112 - 16 * $0)) }
    func text(_ range: Range<Int>) -> String {
      groups[range].map { String($0, radix: 16) }.joined(separator: ":")
    }
    guard let zeros = Self.longestZeroRun(groups) else { return text(0..<8) }
    return text(0..<zeros.lowerBound) + "::" + text(zeros.upperBound..<8)
  }

  /// The first of the longest runs of two zero groups or more.
  private static func longestZeroRun(_ groups: [UInt16]) -> Range<Int>? {
    var longest = 0..<1
    var start = 0
    for index in groups.indices {
      if groups[index] != 0 {
        start = index + 1
      } else if index + 1 - start > longest.count {
        longest = start..<(index + 1)
      }
    }
    return longest.count > 1 ? longest : nil
  }
}
