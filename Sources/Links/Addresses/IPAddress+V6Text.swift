extension IPAddress {
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
