import JSONQuery

/// One of the things that a step may run for each of.
public struct Section: Sendable {
  /// What tells it from the others.
  public let id: String
  /// The whole object, with what else stands in it.
  let value: JSONValue
}
