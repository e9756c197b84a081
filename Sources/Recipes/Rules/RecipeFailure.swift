/// Why a call, a step or a whole recipe did not end well.
package struct RecipeFailure: Error, Hashable, Sendable {
  /// What rows call it, such as `missing_input`; failures of calls bring their own.
  package var kind: String
  /// Where on the way it happened, as rows call it.
  package var stage: String
  /// One line for people.
  package var message: String

  /// A failure of a kind that rows know.
  package init(kind: String, at stage: String = "json", _ message: String) {
    self.kind = kind
    self.stage = stage
    self.message = message
  }

  static func missingInput(_ message: String) -> Self { Self(kind: "missing_input", message) }
  static func mismatch(_ message: String) -> Self { Self(kind: "decode_mismatch", message) }
  static func invalid(_ message: String) -> Self { Self(kind: "invalid_input", message) }
  static func noData(_ message: String) -> Self { Self(kind: "no_data", message) }
  static func tooLarge(_ message: String) -> Self { Self(kind: "body_too_large", message) }
}
