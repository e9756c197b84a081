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
