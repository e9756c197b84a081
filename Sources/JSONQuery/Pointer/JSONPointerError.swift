/// Why a text is not a JSON pointer.
public struct JSONPointerError: Error, Hashable, Sendable {
  /// What is wrong; the raw value is its wording in messages.
  public enum Reason: String, CaseIterable, Hashable, Sendable {
    case missingSlash = "it must be empty or start with '/'"
    case malformedTilde = "'~' must be followed by 0 or 1"
    case malformedPercent = "'%' must be followed by two hexadecimal digits, and the result must be UTF-8"
  }

  /// What is wrong with the text.
  public var reason: Reason
  /// The text as it was given.
  public var text: String

  public init(_ reason: Reason, in text: String) {
    self.reason = reason
    self.text = text
  }

  /// One line for people.
  public var message: String { "'\(text)' is not a JSON pointer: \(reason.rawValue)" }
}
