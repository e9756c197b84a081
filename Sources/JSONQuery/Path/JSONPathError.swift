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
