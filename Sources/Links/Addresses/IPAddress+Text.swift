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
}
