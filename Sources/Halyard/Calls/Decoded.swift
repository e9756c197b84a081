internal import FoundationEssentials

/// Data at the end of a link, as a type of yours.
public struct Decoded<Value: Decodable & Sendable>: Sendable {
  /// The way to the data.
  public var resolved: Resolved
  public var value: Value

  /// Where the data is.
  public var url: String { resolved.url }

  /// For fakes, such as those of tests; the client makes its own.
  public init(resolved: Resolved, value: Value) {
    self.resolved = resolved
    self.value = value
  }
}

extension Decoded {
  init(_ row: AnswerRow, by decoder: JSONDecoder) throws(HalyardError) {
    resolved = Resolved(row)
    value = try row.decoded(Value.self, by: decoder)
  }
}

extension Decoded: Equatable where Value: Equatable {}
extension Decoded: Hashable where Value: Hashable {}
