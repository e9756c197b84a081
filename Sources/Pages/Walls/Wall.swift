/// What stands in front of a page and was sent instead of it.
public enum Wall: Hashable, Sendable {
  /// A check for bots, by whose it is.
  case bot(String)
  /// A form to log in, where the link led somewhere else.
  case login
}

/// How a page was come by, as far as walls are told by it.
public struct PageVisit: Sendable {
  /// The path of the link, and that of the address where the page was.
  public var startPath: String
  public var path: String
  public var startHost: String
  public var host: String
  /// Whether the status was an error's.
  public var isError: Bool
  /// Whether a header of the response says that it is a challenge.
  public var isChallenge: Bool

  public init(
    startHost: String, startPath: String, host: String, path: String, isError: Bool, isChallenge: Bool
  ) {
    (self.startHost, self.startPath) = (startHost, startPath)
    (self.host, self.path) = (host, path)
    (self.isError, self.isChallenge) = (isError, isChallenge)
  }
}

extension Wall {
  /// Walls are short; of longer pages the start is looked at.
  private static let searchedBytes = 256 << 10

  /// The wall that a page is; nil for a page that only speaks of one.
  public static func of(_ facts: PageFacts, _ body: [UInt8], visit: PageVisit) -> Wall? {
    guard facts.isPage else { return nil }
    if visit.isChallenge { return .bot("the site") }
    let body = body.span.extracting(first: searchedBytes)
    let title = facts.titleSource == .title ? facts.title.map(WallRule.plainTitle) : nil
    for rule in WallRule.all where rule.matches(title: title, isError: visit.isError, body) {
      return .bot(rule.owner)
    }
    return LoginPath.isLogin(visit) && PageText(body).asksForPassword ? .login : nil
  }
}
