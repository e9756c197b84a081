/// The way from page to page of one call.
struct PageWalk: Sendable {
  enum Step: Hashable, Sendable {
    case call(page: Int, address: String)
    /// The template tells their addresses, so nothing of them waits for another.
    case calls(ClosedRange<Int>)
    /// Nothing new follows.
    case end
    /// There are more pages than are wanted.
    case capped
    /// The next page was read already.
    case circle
  }

  private let most: Int
  /// The last page that was called.
  private(set) var last = 1
  private var seen: Set<String>
  private(set) var isCapped = false

  init(startingAt address: String, most: Int) {
    self.most = most
    seen = [address]
  }

  /// What follows from one page; those of a counted list may answer in any order, and each may tell of more.
  mutating func answered(_ next: CallAnswer.Next) -> Step {
    switch next {
    case .none: return .end
    case .pages(let total):
      if total > most { isCapped = true }
      let end = Int(clamping: min(total, Int64(most)))
      guard last < end else { return .end }
      defer { last = end }
      return .calls(last + 1...end)
    case .address(let address):
      guard seen.insert(address).inserted else { return .circle }
      guard last < most else {
        isCapped = true
        return .capped
      }
      last += 1
      return .call(page: last, address: address)
    }
  }
}
