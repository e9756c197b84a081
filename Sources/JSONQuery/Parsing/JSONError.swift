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

  /// Which of several texts is broken, counted from 1.
  public enum Place: Hashable, Sendable {
    /// Blank lines count.
    case line(Int)
    /// What stands behind a record separator.
    case text(Int)
  }

  /// The byte at which reading stopped, counted from 0 in the document as it came, also when that is UTF-16 or UTF-32.
  public var offset: Int
  public var reason: Reason
  /// nil unless there are several texts.
  public var place: Place?

  /// An error about the byte at `offset`.
  public init(_ reason: Reason, at offset: Int, in place: Place? = nil) {
    self.reason = reason
    self.offset = offset
    self.place = place
  }

  /// One line for people, such as `expected ',' or '}' at byte 17` or `line 3: malformed number at byte 40`.
  public var message: String {
    let what = "\(reason.rawValue) at byte \(offset)"
    return switch place {
    case .line(let number): "line \(number): \(what)"
    case .text(let number): "text \(number): \(what)"
    case nil: what
    }
  }
}
