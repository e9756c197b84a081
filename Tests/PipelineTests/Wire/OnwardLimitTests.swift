import Testing

@testable import Pipeline

/// How much of a walk is passed on: a site decides how long its addresses and cookies are.
struct OnwardLimitTests {
  private static func onward(
    url: Int = 20, hops: Int = 0, visits: Int = 1, cookies: [Int] = []
  ) -> Onward {
    Onward(
      url: String(repeating: "u", count: url), hops: [UInt8](repeating: 0x20, count: hops),
      visits: (0..<UInt64(visits)).map { $0 },
      cookies: cookies.map { String(repeating: "c", count: $0) }, hasLeft: false, elapsedMilliseconds: 0)
  }

  static let walks: [(name: String, onward: Onward, fits: Bool)] = [
    ("the longest address", onward(url: Onward.mostURLBytes), true),
    ("an address that is too long", onward(url: Onward.mostURLBytes + 1), false),
    ("the most hops", onward(visits: Onward.mostVisits), true),
    ("too many hops", onward(visits: Onward.mostVisits + 1), false),
    ("the longest hops", onward(hops: Onward.mostBytes), true),
    ("hops that are too long", onward(hops: Onward.mostBytes + 1), false),
    ("the longest cookies", onward(hops: 100, cookies: [Onward.mostBytes - 200, 100]), true),
    ("cookies that are too long", onward(hops: 100, cookies: [Onward.mostBytes - 200, 101]), false),
    ("the largest page on a detour", detour(Detour.mostBytes - 100, 100), true),
    ("a page that is too large for a detour", detour(Detour.mostBytes - 100, 101), false),
    ("cookies without contents, too many", onward(cookies: [Int](repeating: 0, count: 150_000)), false),
  ]

  private static func detour(_ findings: Int, _ card: Int) -> Onward {
    var onward = onward()
    onward.detour = Detour(
      findings: Array(repeating: 0x20, count: findings), card: Array(repeating: 0x20, count: card))
    return onward
  }

  @Test(arguments: walks)
  func `a walk that remembers too much is refused where it is read`(
    row: (name: String, onward: Onward, fits: Bool)
  ) throws {
    #expect(row.onward.fits == row.fits)
    let job = Job(batch: BatchID(UUIDv7(high: 1, low: 2)), ordinal: 0, kind: .title, input: "http://a.test")
    var order = JobOrder(job: job, lease: Lease(token: LeaseToken(4), attempt: 1))
    order.onward = row.onward
    let frame = try FrameSurgery(on: Envelope(.job(order)))
    #expect(frame.refusal() == (row.fits ? nil : .malformed("size of onward")))
  }
}
