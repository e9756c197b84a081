/// The options that change what a fleet's fetchers find.
public struct FetchOptions: Codable, Hashable, Sendable {
  /// An option with all that was given for it, in its order.
  public struct Given: Codable, Hashable, Sendable {
    public var name: String
    public var values: [String]

    public init(name: String, values: [String]) {
      (self.name, self.values) = (name, values)
    }
  }

  public var given: [Given]
  /// Changes with any of the values: the upper half with all but the addresses that are allowed, the lower half with those.
  public var hash: UInt64
  /// Options that were left out, because they are secrets and others could read the answer on its way.
  public var withheld: [String]

  public init(given: [Given], hash: UInt64, withheld: [String] = []) {
    (self.given, self.hash, self.withheld) = (given, hash, withheld)
  }
}
