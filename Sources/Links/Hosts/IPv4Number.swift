/// IPv4 addresses as the URL standard reads them: one to four parts, decimal, octal or hexadecimal.
enum IPv4Number {
  /// Whether the last label of a host is a number, so that the host must be an IPv4 address.
  static func isClaimed(by host: Span<UInt8>) -> Bool {
    var end = host.count
    if end > 0, host[end - 1] == .dot { end -= 1 }
    var start = end
    while start > 0, host[start - 1] != .dot { start -= 1 }
    guard start < end, host[start].isASCIIDigit else { return false }
    let label = host.extracting(start..<end)
    return isAllDigits(label) || value(of: label) != nil
  }

  static func parse(_ host: Span<UInt8>) -> IPAddress? {
    var end = host.count
    if end > 0, host[end - 1] == .dot { end -= 1 }
    var bits: UInt64 = 0
    var freeBits: UInt64 = 32
    var start = 0
    while true {
      var stop = start
      while stop < end, host[stop] != .dot { stop += 1 }
      guard freeBits > 0, let part = value(of: host.extracting(start..<stop)) else { return nil }
      if stop == end {
        // The last part fills what the others left.
        guard part < 1 << freeBits else { return nil }
        return IPAddress(v4: UInt32(truncatingIfNeeded: bits | part))
      }
      guard part <= 255 else { return nil }
      freeBits -= 8
      bits |= part << freeBits
      start = stop + 1
    }
  }

  /// The value of one part, saturated just above what an address can hold; nil when it is no number.
  private static func value(of part: Span<UInt8>) -> UInt64? {
    guard !part.isEmpty else { return nil }
    var radix: UInt64 = 10
    var start = 0
    if part.count >= 2, part[0] == .zero {
      let isHexadecimal = part[1] | 0x20 == UInt8(ascii: "x")
      radix = isHexadecimal ? 16 : 8
      start = isHexadecimal ? 2 : 1
    }
    var value: UInt64 = 0
    for index in start..<part.count {
      guard let digit = part[index].hexDigitValue, UInt64(digit) < radix else { return nil }
      value = min(value * radix + UInt64(digit), 1 << 32)
    }
    return value
  }

  private static func isAllDigits(_ label: Span<UInt8>) -> Bool {
    for index in label.indices where !label[index].isASCIIDigit { return false }
    return true
  }
}
