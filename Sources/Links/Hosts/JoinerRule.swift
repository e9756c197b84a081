/// RFC 5892, appendix A: the two invisible joiners stand only where they change how a word looks.
enum JoinerRule {
  private enum Joining {
    case left
    case right
    case both
    case transparent
    case none
  }

  private static let joinings = ScalarRanges(table: joiningTable) { letter in
    switch letter {
    case UInt8(ascii: "l"): Joining.left
    case UInt8(ascii: "r"): .right
    case UInt8(ascii: "d"): .both
    case UInt8(ascii: "t"): .transparent
    case UInt8(ascii: "u"): Joining.none
    default: nil
    }
  }

  static func allows(_ label: [Unicode.Scalar]) -> Bool {
    label.indices.allSatisfy { index in
      switch label[index] {
      case "\u{200D}": isBehindVirama(index, in: label)
      case "\u{200C}": isBehindVirama(index, in: label) || isBetweenJoined(index, in: label)
      default: true
      }
    }
  }

  private static func isBehindVirama(_ index: Int, in label: [Unicode.Scalar]) -> Bool {
    index > 0 && label[index - 1].properties.canonicalCombiningClass == .virama
  }

  private static func isBetweenJoined(_ index: Int, in label: [Unicode.Scalar]) -> Bool {
    let before = nearest(label[..<index].reversed())
    let after = nearest(label[(index + 1)...])
    return (before == .left || before == .both) && (after == .right || after == .both)
  }

  /// How the first character joins that is not transparent.
  private static func nearest(_ scalars: some Sequence<Unicode.Scalar>) -> Joining {
    for scalar in scalars {
      let joining = joinings.range(of: scalar)?.value ?? .none
      if joining != .transparent { return joining }
    }
    return .none
  }
}
