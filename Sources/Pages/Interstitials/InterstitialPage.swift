/// What stands in front of a page and was sent instead of it.
public enum InterstitialPage: Hashable, Sendable {
  /// A check for bots, by whose it is.
  case bot(String)
  /// A page to log in, where the link led somewhere else.
  case login
}

/// How a page was reached, as far as that identifies interstitials.
public struct PageArrival: Sendable {
  /// Whether the status was an error's.
  public var isError: Bool
  /// Whether a header of the response says that it is a challenge.
  public var isChallenge: Bool
  /// nil where nothing about the address is like a login.
  public var way: Way?

  /// From the link to where the page was.
  public struct Way: Sendable {
    public var startHost: String
    public var startPath: String
    public var host: String
    public var path: String

    public init(startHost: String, startPath: String, host: String, path: String) {
      (self.startHost, self.startPath, self.host, self.path) = (startHost, startPath, host, path)
    }
  }

  public init(isError: Bool, isChallenge: Bool, way: Way?) {
    (self.isError, self.isChallenge, self.way) = (isError, isChallenge, way)
  }

  /// Whether the way to an address is worth knowing; with most addresses it is not.
  public static func mayEndAtLogin(_ url: String) -> Bool { LoginPath.mayBeLogin(url) }
}

extension InterstitialPage {
  /// Interstitials are short; of longer pages the start is looked at.
  private static let searchedBytes = 256 << 10
  /// Of text: a page to read that has a form in its margin shows more.
  private static let longestLogin = 3_000

  /// The interstitial that a page is; nil for a page that only speaks of one.
  public static func of(_ facts: PageFacts, _ body: [UInt8], arrival: PageArrival) -> InterstitialPage? {
    guard facts.isPage else { return nil }
    if arrival.isChallenge { return .bot("the site") }
    let body = body.span.extracting(first: searchedBytes)
    let title = facts.titleSource == .title ? facts.title : nil
    if arrival.isError || title.map(InterstitialRule.mayKnow) ?? true, let owner = owner(title, arrival, body)
    {
      return .bot(owner)
    }
    switch arrival.way.flatMap(LoginPath.sign) {
    case nil: return nil
    case .site: return .login
    case .word:
      let text = PageText(body)
      return text.asksForPassword && text.bytes <= longestLogin ? .login : nil
    }
  }

  private static func owner(_ title: String?, _ arrival: PageArrival, _ body: Span<UInt8>) -> String? {
    let title = title.map(InterstitialRule.plainTitle)
    return InterstitialRule.all.first { $0.matches(title: title, isError: arrival.isError, body) }?.owner
  }
}
