/// RFC 5893: what right-to-left names may look like, so that they read the same everywhere.
enum BidiRule {
  /// By its letter in the table.
  private enum Direction: Character {
    case left = "l"
    case right = "r"
    case arabicNumber = "a"
    case europeanNumber = "e"
    case mark = "n"
    case other = "o"
  }

  private static let directions = ScalarRanges<Direction>(table: bidiTable)

  /// As soon as one label runs from right to left, every label has to follow the rule.
  static func allows(_ labels: [[Unicode.Scalar]]) -> Bool {
    let hasRightToLeft = labels.contains { label in
      label.contains { !$0.isASCII && isRightToLeft(direction(of: $0)) }
    }
    return !hasRightToLeft || labels.allSatisfy { allows($0.map(direction)) }
  }

  private static func direction(of scalar: Unicode.Scalar) -> Direction {
    directions.range(of: scalar)?.value ?? .other
  }

  private static func isRightToLeft(_ direction: Direction) -> Bool {
    direction == .right || direction == .arabicNumber
  }

  private static func allows(_ label: [Direction]) -> Bool {
    guard let first = label.first, let last = label.last(where: { $0 != .mark }) else { return label.isEmpty }
    switch first {
    case .left:
      return !label.contains(where: isRightToLeft) && (last == .left || last == .europeanNumber)
    case .right:
      let mixesNumbers = label.contains(.arabicNumber) && label.contains(.europeanNumber)
      return !label.contains(.left) && !mixesNumbers && last != .other
    case .arabicNumber, .europeanNumber, .mark, .other:
      return false
    }
  }
}
