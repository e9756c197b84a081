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

extension IPAddress: CustomStringConvertible {
  /// Dotted decimal, or the IPv6 form of RFC 5952.
  public var description: String {
    switch family {
    case .v4:
      v4Description
    case .v6:
      v6Description
    }
  }

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

extension IPAddress {
  /// Reads four decimal parts without leading zeros.
  init?(v4Text text: Span<UInt8>) {
    guard let bits = Self.dottedBits(text) else { return nil }
    self.init(v4: bits)
  }

  /// Reads the host of a serialised URL: IPv4, or IPv6 in brackets.
  init?(bracketed host: String) {
    guard host.utf8.first == .leftBracket else {
      self.init(host)
      return
    }
    self.init(String(host.dropFirst().dropLast()))
  }

  static func dottedBits(_ text: Span<UInt8>) -> UInt32? {
    var bits: UInt32 = 0
    var parts = 0
    var index = 0
    while parts < 4 {
      if parts > 0 {
        guard index < text.count, text[index] == .dot else { return nil }
        index += 1
      }
      let start = index
      var part: UInt32 = 0
      while index < text.count, index - start < 3, text[index].isASCIIDigit {
        part = part * 10 + UInt32(text[index] - .zero)
        index += 1
      }
      let hasLeadingZero = index - start > 1 && text[start] == .zero
      guard index > start, part <= 255, !hasLeadingZero else { return nil }
      bits = bits << 8 | part
      parts += 1
    }
    return index == text.count ? bits : nil
  }

  /// Reads IPv6 with at most one `::` and perhaps an IPv4 address at the end.
  init?(v6Text text: Span<UInt8>) {
    var reader = V6Reader()
    guard reader.read(text), let bits = reader.bits else { return nil }
    self.init(family: .v6, bits: bits)
  }
}

/// Collects the groups of an IPv6 address from left to right.
private struct V6Reader {
  private var groups: [UInt16] = []
  /// How many groups stood before the `::`.
  private var compression: Int?

  /// The whole address; nil unless eight groups, or fewer around a `::`, were read.
  var bits: UInt128? {
    let missing = 8 - groups.count
    guard missing == 0 && compression == nil || missing > 0 && compression != nil else { return nil }
    var bits: UInt128 = 0
    for (index, group) in groups.enumerated() {
      if index == compression { bits <<= UInt128(16 * missing) }
      bits = bits << 16 | UInt128(group)
    }
    return compression == groups.count ? bits << UInt128(16 * missing) : bits
  }

  /// False when the text cannot be an address.
  mutating func read(_ text: Span<UInt8>) -> Bool {
    guard text.count >= 2 else { return false }
    var index = 0
    if text[0] == .colon {
      guard text[1] == .colon else { return false }
      compression = 0
      index = 2
    }
    while index < text.count {
      guard groups.count < 8 else { return false }
      let start = index
      var value: UInt16 = 0
      while index < text.count, index - start < 4, let digit = text[index].hexDigitValue {
        value = value << 4 | UInt16(digit)
        index += 1
      }
      if index < text.count, text[index] == .dot {
        return readDotted(text.extracting(start...))
      }
      guard index > start else { return false }
      groups.append(value)
      guard index < text.count else { return true }
      guard let next = readSeparator(text, at: index) else { return false }
      index = next
    }
    return true
  }

  /// Passes `:` or `::`; nil when neither stands there, when it is a second `::`, or a `:` ends the text.
  private mutating func readSeparator(_ text: Span<UInt8>, at index: Int) -> Int? {
    guard text[index] == .colon, index + 1 < text.count else { return nil }
    guard text[index + 1] == .colon else { return index + 1 }
    guard compression == nil else { return nil }
    compression = groups.count
    return index + 2
  }

  private mutating func readDotted(_ text: Span<UInt8>) -> Bool {
    guard groups.count <= 6, let bits = IPAddress.dottedBits(text) else { return false }
    groups.append(UInt16(truncatingIfNeeded: bits >> 16))
    groups.append(UInt16(truncatingIfNeeded: bits))
    return true
  }
}
