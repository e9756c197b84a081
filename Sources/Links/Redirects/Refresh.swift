/// What a Refresh header or a meta element of that kind asks for, read by the HTML standard's "shared declarative
/// refresh steps".
public struct Refresh: Hashable, Sendable {
  /// Longer waits are for people who read the page, shorter ones are redirects.
  public static let longestFollowedSeconds = 10

  /// Whole seconds: what stands behind the point does not count.
  public let seconds: Int
  /// Where to; nil for the page itself.
  public let reference: String?

  /// nil when a browser would ignore it.
  public init?(_ value: String) {
    var text = Substring(value).utf8
    text.skipSpace()
    let digits = text.prefix(while: \.isASCIIDigit)
    guard !digits.isEmpty || text.first == .dot else { return nil }
    seconds = digits.reduce(0) { min($0, Int(Int32.max)) * 10 + Int($1 - .zero) }
    text = text.drop { $0.isASCIIDigit || $0 == .dot }
    guard let separator = text.first else {
      reference = nil
      return
    }
    guard separator == .semicolon || separator == .comma || separator.isHTMLSpace else { return nil }
    text.skipSpace()
    if text.first == .semicolon || text.first == .comma { text.removeFirst() }
    text.skipSpace()
    reference = text.isEmpty ? nil : String(Substring(Self.reference(in: text)))
  }

  /// Whether it is short enough to be a redirect.
  public var isFollowed: Bool { seconds <= Self.longestFollowedSeconds }

  /// The address it leads to from `page`, with the page's fragment unless it has its own; nil when that is the page
  /// itself, or nothing that can be fetched.
  ///
  /// - Parameter base: What references are relative to; the page itself unless it says otherwise.
  public func target(from page: WebURL, base: WebURL) -> WebURL? {
    guard let reference, let url = try? WebURL(reference, relativeTo: base),
      url.requestURL != page.requestURL
    else { return nil }
    return url.inheritingFragment(of: page)
  }

  /// What is left without `url=` and quotes. A word that only begins like it belongs to the address.
  private static func reference(in text: Substring.UTF8View) -> Substring.UTF8View {
    var rest = text
    if rest.prefix(3).elementsEqual("url".utf8, by: { $0.asciiLowercased == $1 }) {
      rest = rest.dropFirst(3)
      rest.skipSpace()
      guard rest.popFirst() == .equals else { return text }
      rest.skipSpace()
    }
    guard let quote = rest.first, quote == .quote || quote == .apostrophe else { return rest }
    return rest.dropFirst().prefix { $0 != quote }
  }
}

extension Substring.UTF8View {
  fileprivate mutating func skipSpace() {
    self = drop(while: \.isHTMLSpace)
  }
}

extension UInt8 {
  fileprivate static let comma = UInt8(ascii: ",")
  fileprivate static let semicolon = UInt8(ascii: ";")
  fileprivate static let equals = UInt8(ascii: "=")
  fileprivate static let quote = UInt8(ascii: "\"")
  fileprivate static let apostrophe = UInt8(ascii: "'")

  /// What HTML calls white space: a vertical tab is none.
  fileprivate var isHTMLSpace: Bool { self == .space || isTabOrLineBreak || self == 0x0C }
}

/// Redirects that pages and their headers ask for, and chains that go on in another process because of them.
extension RedirectChain {
  /// The current URL's page leads on to `target`; see `answered` for the token.
  public mutating func refreshed(to target: WebURL, stateToken: UInt64 = 0) -> Decision {
    follow(to: target, method: .get, stateToken: stateToken)
  }

  /// Continues a chain whose page led on to `target`.
  ///
  /// - Parameter visits: Of the chain that stopped there.
  /// - Returns: The chain, and its first step.
  public static func resumed(
    after visits: [Visit], at target: WebURL, maxHops: Int, stateToken: UInt64 = 0
  ) -> (chain: RedirectChain, step: Decision) {
    var chain = RedirectChain(start: target, maxHops: maxHops)
    chain.visits = visits
    chain.hops = max(0, visits.count - 1)
    let step = chain.refreshed(to: target, stateToken: stateToken)
    return (chain, step)
  }
}

extension WebURL {
  /// A target without a fragment inherits that of the page before; an empty fragment clears it.
  func inheritingFragment(of page: WebURL) -> WebURL {
    switch fragment {
    case nil: page.fragment == nil ? self : withFragment(page.fragment)
    case "": withFragment(nil)
    default: self
    }
  }
}
