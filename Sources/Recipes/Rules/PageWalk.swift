/// The way from page to page of one call.
struct PageWalk: Sendable {
  enum Step: Hashable, Sendable {
    /// The address is nil when the template with the page's number tells it.
    case call(page: Int, address: String?)
    case end
    /// There are more pages than are wanted.
    case capped
    /// The next page was read already.
    case circle
  }

  private let most: Int
  private(set) var page = 1
  private var seen: Set<String>

  init(startingAt address: String, most: Int) {
    self.most = most
    seen = [address]
  }

  mutating func answered(_ next: CallAnswer.Next) -> Step {
    switch next {
    case .none: return .end
    case .pages(let total):
      guard page < total else { return .end }
      guard page < most else { return .capped }
      page += 1
      return .call(page: page, address: nil)
    case .address(let address):
      guard seen.insert(address).inserted else { return .circle }
      guard page < most else { return .capped }
      page += 1
      return .call(page: page, address: address)
    }
  }
}
