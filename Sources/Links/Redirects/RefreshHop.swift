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
