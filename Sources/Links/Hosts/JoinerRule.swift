/// RFC 5892, appendix A: the two invisible joiners stand only where they change how a word looks.
enum JoinerRule {
  /// By its letter in the table.
  private enum Joining: Character {
    case left = "l"
    case right = "r"
    case both = "d"
    case transparent = "t"
    case none = "u"
  }

  private static let joinings = ScalarRanges<Joining>(table: joiningTable)

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
