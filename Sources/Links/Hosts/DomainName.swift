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
    for label in Composition.standard.composed(mapped).split(separator: ".", omittingEmptySubsequences: false)
    {
      labels.append(try valid(label: Array(label)))
    }
    guard BidiRule.allows(labels) else { throw .invalidInternationalName }
    return labels
  }

  private static func valid(label: [Unicode.Scalar]) throws(HostFault) -> [Unicode.Scalar] {
    let isPunycode = label.starts(with: "xn--".unicodeScalars)
    if !isPunycode, label.allSatisfy(\.isASCII) { return label }
    guard label.count <= maximumLabelLength else { throw .invalidInternationalName }
    guard isPunycode else { return try checked(label) }
    guard label.allSatisfy(\.isASCII), let decoded = decodedPunycode(label),
      decoded.contains(where: { !$0.isASCII }), !decoded.starts(with: "xn--".unicodeScalars),
      Composition.standard.composed(decoded) == decoded
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
