internal import FoundationEssentials

/// Data at the end of a link, as a type of yours.
public struct DecodedDocument<Value: Decodable & Sendable>: Sendable {
  /// The way to the data.
  public var resolved: ResolvedLink
  /// The data, or the part of it that was selected.
  public var value: Value

  /// Where the data is.
  public var url: String { resolved.url }

  /// For fakes, such as those of tests; the client makes its own.
  public init(resolved: ResolvedLink, value: Value) {
    self.resolved = resolved
    self.value = value
  }
}

extension DecodedDocument {
  init(_ row: AnswerRow, by decoder: JSONDecoder) throws(HalyardError) {
    resolved = ResolvedLink(row)
    value = try row.decoded(Value.self, by: decoder)
  }
}

extension DecodedDocument: Equatable where Value: Equatable {}
extension DecodedDocument: Hashable where Value: Hashable {}
