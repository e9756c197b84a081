import JSONQuery

/// One of the things that a step may run for each of.
package struct Section: Sendable {
  /// What tells it from the others.
  package let id: String
  /// The whole object, with what else stands in it.
  let value: JSONValue
}
