/// Why bytes are not a JSON document, and at which byte.
public struct JSONError: Error, Hashable, Sendable {
  /// What is wrong; the raw value is its wording in messages.
  public enum Reason: String, CaseIterable, Hashable, Sendable {
    case endsTooEarly = "the document ends too early"
    case expectedValue = "expected a value"
    case expectedKey = "expected a member name in double quotes"
    case expectedColon = "expected ':'"
    case expectedCommaOrBrace = "expected ',' or '}'"
    case expectedCommaOrBracket = "expected ',' or ']'"
    case contentAfterValue = "expected nothing after the value"
    case malformedNumber = "malformed number"
    case malformedEscape = "malformed escape"
    case loneSurrogate = "half of a surrogate pair"
    case controlCharacter = "control character inside a string"
    case malformedUTF8 = "malformed UTF-8"
    case malformedWideText = "malformed UTF-16 or UTF-32"
    case tooDeep = "nested too deeply"
    case tooManyValues = "too many values"
    case tooLarge = "too large"
  }

  /// The byte at which reading stopped, counted from 0.
  ///
  /// A document that was UTF-16 or UTF-32 is counted in its UTF-8 form, except for `malformedWideText`.
  public var offset: Int
  /// What is wrong there.
  public var reason: Reason

  /// An error about the byte at `offset`.
  public init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  /// One line for people, such as `expected ',' or '}' at byte 17`.
  public var message: String { "\(reason.rawValue) at byte \(offset)" }
}
