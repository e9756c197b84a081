/// A query for any number of values of a document (RFC 9535), such as `$.items[?@.price < 10].name`.
public struct JSONPath: Hashable, Sendable {
  /// The query as it was given.
  public let text: String
  let query: PathQuery

  /// Reads all of `text`; what it costs to ask is checked when it is asked.
  public init(_ text: String) throws(JSONPathError) {
    guard text.utf8.count <= Self.longestText else { throw JSONPathError(.tooLong, at: Self.longestText) }
    var parser = PathParser(text)
    query = try parser.readWholeQuery()
    self.text = text
  }

  /// Whether the query can never find more than one value: it has only names and indexes, one at a time.
  public var isSingular: Bool { query.isSingular }

  /// The values found in `root`, in the query's order; a value found twice is there twice.
  public func select(
    in root: JSONValue, limits: JSONPathLimits = .init()
  ) throws(JSONPathFailure) -> [JSONValue] {
    var evaluator = PathEvaluator(root, limits: limits)
    return try evaluator.nodes(of: query, at: root.index).map { JSONValue(tape: root.tape, index: $0) }
  }

  public static func == (left: JSONPath, right: JSONPath) -> Bool { left.text == right.text }
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }

  private static let longestText = 64 << 10
}

/// Why a text is not a JSONPath query, and at which byte.
public struct JSONPathError: Error, Hashable, Sendable {
  /// What is wrong; the raw value is its wording in messages.
  public enum Reason: String, CaseIterable, Hashable, Sendable {
    case expectedRoot = "expected '$'"
    case expectedSegment = "expected '.', '..', '[' or the end"
    case expectedName = "expected a member name or '*'"
    case expectedNameOrBracket = "expected a member name, '*' or '['"
    case expectedSelector = "expected a name in quotes, an index, a slice, '*' or '?'"
    case expectedCommaOrBracket = "expected ',' or ']'"
    case expectedOperator = "expected an operator such as '==' or '&&', or ',' or ']'"
    case expectedTest = "expected '@', '$', '!', '(', a function or a literal"
    case expectedQueryOrFunction = "expected '@', '$', '(' or a function"
    case expectedOperand = "expected '@', '$', a function or a literal"
    case expectedParenthesis = "expected ')'"
    case expectedArgument = "expected ',': the function takes two arguments"
    case literalAlone = "a literal is not a test by itself: compare it"
    case valueAlone = "the function's result is not a test by itself: compare it"
    case notComparable = "the result of match() and search() is a test by itself: it cannot be compared"
    case notSingular = "only a query for at most one value can stand here: no '*', '..', slices or filters"
    case notNodes = "expected a query: the function takes what it finds"
    case unknownFunction = "unknown function: there are length, count, match, search and value"
    case unterminatedString = "the string does not end"
    case malformedEscape = "malformed escape"
    case loneSurrogate = "half of a surrogate pair"
    case controlCharacter = "control character inside a string"
    case malformedNumber = "malformed number"
    case integerOutOfRange = "the number is beyond 9007199254740991"
    case tooDeep = "nested too deeply"
    case tooLong = "too long"
    case patternTooLarge = "the regular expression is too large"
  }

  /// The byte of the query at which reading stopped, counted from 0.
  public var offset: Int
  public var reason: Reason

  public init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  /// One line for people, such as `expected ',' or ']' at byte 4`.
  public var message: String { "\(reason.rawValue) at byte \(offset)" }
}

/// What one query of one document may cost.
public struct JSONPathLimits: Hashable, Sendable {
  /// How many values a query, or a part of it on the way, may find.
  public var nodes: Int
  /// How many steps it may take: one is a value looked at, some bytes compared, or a character against one part of a
  /// regular expression.
  public var steps: Int

  /// Limits that leave any query of sense alone and end a hostile one.
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

/// As they are written, the longer ones first.
enum PathComparison: String, CaseIterable, Sendable {
  case equal = "=="
  case unequal = "!="
  case lessOrEqual = "<="
  case greaterOrEqual = ">="
  case less = "<"
  case greater = ">"
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

/// Every so many elements of an array from a place to another, such as `1:5:2`.
struct PathSlice: Sendable {
  var start: Int?
  var end: Int?
  var step = 1

  /// The positions it chooses of an array of `count` elements, in their order (RFC 9535, 2.3.4.2.2).
  func positions(of count: Int) -> StrideTo<Int> {
    func normal(_ position: Int) -> Int { position >= 0 ? position : count + position }
    guard step != 0 else { return stride(from: 0, to: 0, by: 1) }
    if step > 0 {
      let lower = min(max(normal(start ?? 0), 0), count)
      let upper = min(max(normal(end ?? count), 0), count)
      return stride(from: lower, to: upper, by: step)
    }
    let upper = min(max(normal(start ?? count - 1), -1), count - 1)
    let lower = end.map { min(max(normal($0), -1), count - 1) } ?? -1
    return stride(from: upper, to: lower, by: step)
  }
}

/// A part of a filter whose place decides what it has to be: something with a value, a test, or a query.
struct PathTerm {
  enum Kind {
    case operand(PathOperand)
    /// A function that is true or false.
    case match(PathMatch)
  }

  var kind: Kind
  var start: Int

  /// The term where something is compared or measured.
  func operand() throws(JSONPathError) -> PathOperand {
    switch kind {
    case .match: throw JSONPathError(.notComparable, at: start)
    case .operand(.query(let query)) where !query.isSingular: throw JSONPathError(.notSingular, at: start)
    case .operand(let operand): return operand
    }
  }

  /// The term where something is true or false; a query is true when it finds anything.
  func test() throws(JSONPathError) -> PathTest {
    switch kind {
    case .match(let match): return .match(match)
    case .operand(.query(let query)): return .exists(query)
    case .operand(.literal): throw JSONPathError(.literalAlone, at: start)
    case .operand(.length), .operand(.count), .operand(.value): throw JSONPathError(.valueAlone, at: start)
    }
  }

  /// The term where any number of values may be found.
  func nodes() throws(JSONPathError) -> PathQuery {
    guard case .operand(.query(let query)) = kind else { throw JSONPathError(.notNodes, at: start) }
    return query
  }
}
