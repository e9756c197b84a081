import Testing

@testable import Pipeline

/// How much of a walk is passed on: a site decides how long its addresses and cookies are.
struct ContinuationLimitTests {
  private static func continuation(
    url: Int = 20, hops: Int = 0, visits: Int = 1, cookies: [Int] = []
  ) -> Continuation {
    Continuation(
      url: String(repeating: "u", count: url), hops: [UInt8](repeating: 0x20, count: hops),
      visits: (0..<UInt64(visits)).map { $0 },
      cookies: cookies.map { String(repeating: "c", count: $0) }, hasLeft: false, elapsedMilliseconds: 0)
  }

  static let walks: [(name: String, continuation: Continuation, fits: Bool)] = [
    ("the longest address", continuation(url: Continuation.mostURLBytes), true),
    ("an address that is too long", continuation(url: Continuation.mostURLBytes + 1), false),
    ("the most hops", continuation(visits: Continuation.mostVisits), true),
    ("too many hops", continuation(visits: Continuation.mostVisits + 1), false),
    ("the longest hops", continuation(hops: Continuation.mostBytes), true),
    ("hops that are too long", continuation(hops: Continuation.mostBytes + 1), false),
    ("the longest cookies", continuation(hops: 100, cookies: [Continuation.mostBytes - 200, 100]), true),
    (
      "cookies that are too long", continuation(hops: 100, cookies: [Continuation.mostBytes - 200, 101]),
      false
    ),
    ("the largest page on an oEmbed request", oembed(OEmbedContinuation.mostBytes - 100, 100), true),
    (
      "a page that is too large for an oEmbed request", oembed(OEmbedContinuation.mostBytes - 100, 101), false
    ),
    ("cookies without contents, too many", continuation(cookies: [Int](repeating: 0, count: 150_000)), false),
  ]

  private static func oembed(_ members: Int, _ card: Int) -> Continuation {
    var continuation = continuation()
    continuation.oembed = OEmbedContinuation(
      members: Array(repeating: 0x20, count: members), card: Array(repeating: 0x20, count: card))
    return continuation
  }

  @Test(arguments: walks)
  func `a walk that remembers too much is refused where it is read`(
    row: (name: String, continuation: Continuation, fits: Bool)
  ) throws {
    #expect(row.continuation.fits == row.fits)
    let job = Job(batch: BatchID(UUIDv7(high: 1, low: 2)), ordinal: 0, kind: .title, input: "http://a.test")
    var order = JobOrder(job: job, lease: Lease(token: LeaseToken(4), attempt: 1))
    order.continuation = row.continuation
    let frame = try FrameSurgery(on: Envelope(.job(order)))
    switch frame.refusal() {
    case nil: #expect(row.fits)
    case .malformed: #expect(!row.fits)
    case let other?: Issue.record("\(other)")
    }
  }
}
