// The normal forms of the standard library are there, where Foundation has them from.
@_spi(_Unicode) import Swift

/// The URL standard's host parser for schemes that need a host.
enum HostParser {
  /// Appends the host as it is serialised; returns whether it is an address.
  static func append(_ host: Span<UInt8>, to bytes: inout [UInt8]) throws(HostFault) -> Bool {
    guard !host.isEmpty else { throw .missing }
    guard host[0] != .leftBracket else {
      try appendIPv6(host, to: &bytes)
      return true
    }
    let start = bytes.count
    if !appendPlainDomain(host, to: &bytes) {
      bytes.removeSubrange(start...)
      bytes.append(contentsOf: try DomainName.ascii(percentDecoded(host)))
      guard start < bytes.count else { throw .missing }
    }
    guard let address = try addressMeant(by: bytes.span.extracting(start...)) else { return false }
    bytes.removeSubrange(start...)
    bytes.append(contentsOf: address.description.utf8)
    return true
  }

  /// The IPv4 address that a name ending in a number stands for; nil for a good domain name.
  private static func addressMeant(by name: Span<UInt8>) throws(HostFault) -> IPAddress? {
    guard IPv4Number.isClaimed(by: name) else { return nil }
    guard let address = IPv4Number.parse(name) else { throw .invalidIPv4 }
    return address
  }

  private static func appendIPv6(_ host: Span<UInt8>, to bytes: inout [UInt8]) throws(HostFault) {
    let last = host.count - 1
    guard last > 0, host[last] == .rightBracket,
      let address = IPAddress(host.extracting(1..<last)), !address.isV4
    else { throw .invalidIPv6 }
    bytes.append(.leftBracket)
    bytes.append(contentsOf: address.description.utf8)
    bytes.append(.rightBracket)
  }

  /// Appends an ordinary ASCII name in lower case; false when the name needs more work or has faults.
  private static func appendPlainDomain(_ host: Span<UInt8>, to bytes: inout [UInt8]) -> Bool {
    let plain = ByteSet.domain
    for index in host.indices {
      let byte = host[index]
      guard plain.contains(byte) else { return false }
      bytes.append(byte.asciiLowercased)
    }
    return true
  }
}

/// Names in ASCII, international labels in Punycode: UTS 46 as the URL standard uses it.
enum DomainName {
  /// No whole name that resolves is longer; it bounds the work that Punycode makes.
  private static let maximumLabelLength = 253
  private static let punycodePrefix = Array("xn--".utf8)

  /// The ASCII form of a name that was percent-decoded.
  ///
  /// A name that is ASCII already stays what it is, as in browsers: the web has hosts whose Punycode breaks the rules.
  static func ascii(_ bytes: [UInt8]) throws(HostFault) -> [UInt8] {
    var name: [UInt8] = []
    if bytes.allSatisfy(\.isASCII) {
      name = bytes.map(\.asciiLowercased)
    } else {
      for (index, label) in try labels(of: bytes).enumerated() {
        if index > 0 { name.append(.dot) }
        name.append(contentsOf: try ascii(label: label))
      }
    }
    guard name.allSatisfy(ByteSet.domain.contains) else { throw .forbiddenCharacter }
    return name
  }

  /// The labels in Unicode, each of them valid.
  private static func labels(of bytes: [UInt8]) throws(HostFault) -> [[Unicode.Scalar]] {
    guard let text = String(validating: bytes, as: UTF8.self),
      let mapped = NameMapping.standard.mapped(text.unicodeScalars)
    else { throw .invalidInternationalName }
    var labels: [[Unicode.Scalar]] = []
    for label in composed(mapped).split(separator: ".", omittingEmptySubsequences: false) {
      labels.append(try valid(label: Array(label)))
    }
    guard BidiRule.allows(labels) else { throw .invalidInternationalName }
    return labels
  }

  /// Canonical composition (NFC).
  private static func composed(_ name: [Unicode.Scalar]) -> [Unicode.Scalar] {
    Array(String(String.UnicodeScalarView(name))._nfc)
  }

  private static func valid(label: [Unicode.Scalar]) throws(HostFault) -> [Unicode.Scalar] {
    let isPunycode = label.starts(with: "xn--".unicodeScalars)
    if !isPunycode, label.allSatisfy(\.isASCII) { return label }
    guard label.count <= maximumLabelLength else { throw .invalidInternationalName }
    guard isPunycode else { return try checked(label) }
    guard label.allSatisfy(\.isASCII), let decoded = decodedPunycode(label),
      decoded.contains(where: { !$0.isASCII }), !decoded.starts(with: "xn--".unicodeScalars),
      composed(decoded) == decoded
    else { throw .invalidInternationalName }
    return try checked(decoded)
  }

  private static func decodedPunycode(_ label: [Unicode.Scalar]) -> [Unicode.Scalar]? {
    let encoded = label.dropFirst(punycodePrefix.count).map { UInt8(ascii: $0) }
    return Punycode.decode(encoded.span)
  }

  /// Refuses a label that starts with a mark, or has characters that no label may have in their place.
  private static func checked(_ label: [Unicode.Scalar]) throws(HostFault) -> [Unicode.Scalar] {
    guard let first = label.first, !isMark(first), label.allSatisfy(NameMapping.standard.isValid),
      !label.contains("."), JoinerRule.allows(label)
    else { throw .invalidInternationalName }
    return label
  }

  private static func ascii(label: [Unicode.Scalar]) throws(HostFault) -> [UInt8] {
    if label.allSatisfy(\.isASCII) { return label.map { UInt8(ascii: $0) } }
    let encoded = punycodePrefix + Punycode.encode(label)
    guard encoded.count <= maximumLabelLength else { throw .invalidInternationalName }
    return encoded
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }
}

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
