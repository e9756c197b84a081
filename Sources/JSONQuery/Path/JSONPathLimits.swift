/// What one query of one document may cost.
public struct JSONPathLimits: Hashable, Sendable {
  /// How many values a query, or a part of it on the way, may find.
  public var nodes: Int
  /// How many steps it may take: one is a value looked at, some bytes compared, or a character against one part of a
  /// regular expression.
  public var steps: Int

  /// Limits that leave any query of sense alone and end a hostile one in about a second.
  public init(nodes: Int = 1 << 20, steps: Int = 50_000_000) {
    self.nodes = nodes
    self.steps = steps
  }
}

/// Why a query was given up.
public enum JSONPathFailure: Error, Hashable, Sendable {
  case tooManyNodes(limit: Int)
  case tooManySteps(limit: Int)
  case patternTooLarge

  /// One line for people, with what to do.
  public var message: String {
    switch self {
    case .tooManyNodes(let limit): "it finds more than \(limit) values; ask for fewer"
    case .tooManySteps(let limit):
      "it takes more than \(limit) steps; ask for less, with names instead of '..' and filters over fewer values"
    case .patternTooLarge: "a regular expression of the document is too large"
    }
  }
}

/// The steps that are left of a query's limit.
struct StepBudget {
  private let limit: Int
  private var left: Int

  init(_ limit: Int) {
    self.limit = limit
    left = limit
  }

  mutating func take(_ steps: Int) throws(JSONPathFailure) {
    left -= steps
    if left < 0 { throw .tooManySteps(limit: limit) }
  }

  /// Going over bytes is cheaper than going over values.
  mutating func take(bytes: Int) throws(JSONPathFailure) {
    try take(1 + bytes >> 3)
  }
}
