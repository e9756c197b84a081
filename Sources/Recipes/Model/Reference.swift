import JSONQuery

/// A name and what is taken of the value behind it, written `$name`, `$name/pointer` or `$name$.path`.
struct Reference: Hashable, Sendable {
  enum Source: Hashable, Sendable {
    case parameter(String)
    case step(Int)
    case sections
    /// The value of `each` that a call is made for.
    case item
    /// What a call is made with.
    case input
    /// What was taken of a call's answer.
    case value
  }

  var source: Source
  var selector: JSONSelector?
  /// As it is written.
  var text: String

  var step: Int? { if case .step(let index) = source { index } else { nil } }
}
