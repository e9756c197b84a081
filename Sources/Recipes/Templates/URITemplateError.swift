/// Why a text is not an address template, and at which byte.
package struct URITemplateError: Error, Hashable, Sendable {
  /// What is wrong; the raw value is its wording in messages.
  package enum Reason: String, CaseIterable, Hashable, Sendable {
    case unclosedBrace = "the '{' has no '}'"
    case strayBrace = "a '}' without its '{'"
    case expectedName = "expected a name of letters, digits, '_' and single dots"
    case expectedCommaOrBrace = "expected ',' or '}'"
    case reservedOperator = "the operators = , ! @ and | are reserved for later: use + # . / ; ? & or none"
    case explodeModifier = "'*' behind a name is of level 4, and templates here go up to level 3"
    case prefixModifier = "':' behind a name is of level 4, and templates here go up to level 3"
    case malformedPercent = "'%' must be followed by two hexadecimal digits"
    case forbiddenCharacter = "this character cannot stand in an address: write it as %XX"
    case tooLong = "too long"
  }

  /// The byte of the template at which reading stopped, counted from 0.
  package var offset: Int
  package var reason: Reason

  /// An error about the byte at `offset`.
  package init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  /// One line for people, such as `expected ',' or '}' at byte 4`.
  package var message: String { "\(reason.rawValue) at byte \(offset)" }
}
