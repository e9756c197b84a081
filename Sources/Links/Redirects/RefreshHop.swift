/// Redirects that pages and their headers ask for, and chains that go on in another process because of them.
extension RedirectChain {
  /// What a chain that stopped at a page has to remember.
  public struct Memory: Hashable, Sendable {
    /// The requests so far, as hashes, in order; there was one more of them than hops.
    public var visits: [UInt64]

    public init(visits: [UInt64]) {
      self.visits = visits
    }
  }

  public var memory: Memory { Memory(visits: visited) }

  /// The current URL's page leads on to `target`; see `answered` for the token.
  public mutating func refreshed(to target: WebURL, stateToken: UInt64 = 0) -> Decision {
    follow(to: target, method: .get, stateToken: stateToken)
  }

  /// Continues a chain whose page led on to `target`.
  ///
  /// - Returns: The chain, and its first step.
  public static func resumed(
    _ memory: Memory, at target: WebURL, maxHops: Int, stateToken: UInt64 = 0
  ) -> (chain: RedirectChain, step: Decision) {
    var chain = RedirectChain(start: target, maxHops: maxHops)
    chain.visited = memory.visits
    chain.hops = max(0, memory.visits.count - 1)
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
