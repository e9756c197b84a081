/// A query as it was read, its types already checked.
struct PathQuery: Sendable {
  /// Starts at the value under test, `@`, and not at the root, `$`.
  var isRelative: Bool
  var segments: [PathSegment] = []

  var isSingular: Bool {
    segments.allSatisfy { segment in
      guard !segment.isDescendant, segment.selectors.count == 1 else { return false }
      return switch segment.selectors[0] {
      case .name, .index: true
      case .wildcard, .slice, .filter: false
      }
    }
  }
}

struct PathSegment: Sendable {
  /// Applies to a value and to all that is inside it.
  var isDescendant: Bool
  var selectors: [PathSelector]
}

enum PathSelector: Sendable {
  case name([UInt8])
  case wildcard
  case index(Int)
  case slice(PathSlice)
  case filter(PathTest)
}

/// What is true or false of a value.
indirect enum PathTest: Sendable {
  case any([PathTest])
  case all([PathTest])
  case not(PathTest)
  case exists(PathQuery)
  case compare(PathOperand, PathComparison, PathOperand)
  case match(PathMatch)
}

enum PathComparison: Sendable {
  case equal
  case unequal
  case less
  case lessOrEqual
  case greater
  case greaterOrEqual
}

/// What has a value, or is nothing.
indirect enum PathOperand: Sendable {
  case literal(JSONScalar)
  case query(PathQuery)
  case length(PathOperand)
  case count(PathQuery)
  case value(PathQuery)
}

/// The functions `match` and `search`.
struct PathMatch: Sendable {
  enum Expression: Sendable {
    /// Nil is a literal that is no regular expression and matches nothing.
    case known(Pattern?)
    case computed(PathOperand)
  }

  var subject: PathOperand
  var expression: Expression
  /// `match`, which wants all of the text, and not `search`.
  var isWhole: Bool
}
