/// What the sender of a frame may say.
public struct LaneRights: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Submits, asks, cancels, and reads rows.
  public static let client = LaneRights(rawValue: 1)
  /// Works as a fetcher, and so receives the fleet's headers, cookies and passwords.
  public static let fetcher = LaneRights(rawValue: 2)
  /// Works as a decoder.
  public static let decoder = LaneRights(rawValue: 4)
  /// Gives out jobs and answers.
  public static let aggregator = LaneRights(rawValue: 8)
  public static let all: LaneRights = [.client, .fetcher, .decoder, .aggregator]

  /// What a worker of this role needs.
  public static func work(as role: Role) -> LaneRights? {
    switch role {
    case .fetcher: .fetcher
    case .decoder: .decoder
    case .producer, .aggregator: nil
    }
  }
}
