/// The options that change what a fleet's fetchers find, for a fetcher that was given none of them.
public struct FetchOptions: Hashable, Sendable {
  /// An option with all that was given for it, in its order.
  public struct Given: Hashable, Sendable {
    public var name: String
    public var values: [String]

    public init(name: String, values: [String]) {
      (self.name, self.values) = (name, values)
    }
  }

  public var given: [Given]
  /// What the HELLO of a fetcher with these options reports.
  public var marks: [FindingOption]
  /// Changes with any of the values.
  public var hash: UInt64
  /// Options that were left out, because they are secrets and others could read the answer on its way.
  public var withheld: [String]

  public init(given: [Given], marks: [FindingOption], hash: UInt64, withheld: [String] = []) {
    (self.given, self.marks, self.hash, self.withheld) = (given, marks, hash, withheld)
  }
}
