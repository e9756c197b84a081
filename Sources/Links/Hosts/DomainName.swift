/// Names with international labels, turned into ASCII.
///
/// This is the core of UTS 46 with what the standard library knows of Unicode: lower case, composition,
/// dots of other scripts, full-width ASCII, ignorable characters and forbidden categories.
/// Names that need other compatibility mappings are refused. The rules for right-to-left labels are not applied.
enum DomainName {
  /// No label of a name that resolves is longer; it also bounds the work that Punycode makes.
  private static let maximumLabelLength = 63

  /// The ASCII form of a name that was percent-decoded and is not plain.
  static func ascii(_ bytes: [UInt8]) throws(HostFault) -> [UInt8] {
    var name: [UInt8] = []
    if bytes.allSatisfy(\.isASCII) {
      name = bytes.map(\.asciiLowercased)
    } else {
      guard let text = String(validating: bytes, as: UTF8.self) else { throw .invalidInternationalName }
      let labels = mapped(text).split(separator: ".", omittingEmptySubsequences: false)
      for (index, label) in labels.enumerated() {
        if index > 0 { name.append(.dot) }
        name.append(contentsOf: try ascii(label: Array(label)))
      }
    }
    guard name.allSatisfy(ByteSet.domain.contains) else { throw .forbiddenCharacter }
    return name
  }

  /// Refuses labels that claim to be Punycode and are not.
  static func checkPunycodeLabels(_ name: Span<UInt8>) throws(HostFault) {
    var start = 0
    while start + 4 <= name.count {
      var end = start
      while end < name.count, name[end] != .dot { end += 1 }
      if end - start >= 4, name[start] == UInt8(ascii: "x"), name[start + 1] == UInt8(ascii: "n"),
        name[start + 2] == .hyphen, name[start + 3] == .hyphen
      {
        try checkPunycode(name.extracting((start + 4)..<end))
      }
      start = end + 1
    }
  }

  private static func checkPunycode(_ encoded: Span<UInt8>) throws(HostFault) {
    guard encoded.count <= maximumLabelLength, let scalars = Punycode.decode(encoded),
      scalars.contains(where: { !$0.isASCII })
    else { throw .invalidInternationalName }
    try checkLabel(scalars)
  }

  private static func ascii(label: [Unicode.Scalar]) throws(HostFault) -> [UInt8] {
    let composed = Composition.composed(label)
    guard composed.contains(where: { !$0.isASCII }) else { return composed.map { UInt8($0.value) } }
    guard composed.count <= maximumLabelLength else { throw .invalidInternationalName }
    // What starts like Punycode must be Punycode, and that is plain ASCII.
    guard !composed.starts(with: "xn--".unicodeScalars) else { throw .invalidInternationalName }
    try checkLabel(composed)
    return Array("xn--".utf8) + Punycode.encode(composed)
  }

  private static func mapped(_ text: String) -> [Unicode.Scalar] {
    var scalars: [Unicode.Scalar] = []
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x3002, 0xFF0E, 0xFF61:
        scalars.append(".")
      case 0x00AD, 0x034F, 0x200B, 0x2060, 0xFE00...0xFE0F, 0xFEFF:
        continue
      case 0xFF01...0xFF5E:
        let ascii = UInt8(truncatingIfNeeded: scalar.value - 0xFEE0)
        scalars.append(Unicode.Scalar(ascii.asciiLowercased))
      default:
        scalars.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
      }
    }
    return scalars
  }

  private static func checkLabel(_ label: [Unicode.Scalar]) throws(HostFault) {
    guard let first = label.first, !isMark(first) else { throw .invalidInternationalName }
    var previous = first
    for scalar in label {
      guard isAllowed(scalar, after: previous) else { throw .invalidInternationalName }
      previous = scalar
    }
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }

  private static func isAllowed(_ scalar: Unicode.Scalar, after previous: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\u{200C}", "\u{200D}":
      // The joiners are meaningful behind a virama only.
      return previous.properties.canonicalCombiningClass == .virama
    case "ß", "ς":
      return true
    case "\u{FFFC}", "\u{FFFD}":
      return false
    case let scalar where scalar.properties.changesWhenNFKCCaseFolded:
      // A mapping that is not applied: better no host than the wrong one.
      return false
    default:
      break
    }
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .spaceSeparator, .lineSeparator,
      .paragraphSeparator:
      return false
    default:
      return true
    }
  }
}
