import Links
import Pipeline
import PipelineTesting
import Testing

@testable import Roles

/// What is remembered of robots.txt files, and who waits for whom.
@Suite(.timeLimit(.minutes(10)))
struct RobotsCacheTests {
  /// So that expectations can ask it.
  private final class Shelf {
    private var shelf: RobotsShelf

    init(_ shelf: RobotsShelf = RobotsShelf()) { self.shelf = shelf }

    var count: Int { shelf.count }

    func keep(_ access: RobotsAccess, for origin: Origin, until moment: Moment) {
      shelf.keep(access, for: origin, until: moment)
    }

    func access(to origin: Origin, at now: Moment) -> RobotsAccess? { shelf.access(to: origin, at: now) }

    func failed(_ reason: String?, at origin: Origin, askAgainAfter asked: Int64?, now: Moment) -> Bool {
      shelf.failed(reason, at: origin, askAgainAfter: asked, now: now)
    }
  }

  private let clock = ManualClock()
  private let product = ProductToken(userAgent: "halyard")

  private func origin(_ name: String) throws -> Origin { try WebURL("http://\(name).test/").origin }

  private func rules(_ text: String) -> RobotsAccess {
    .rules(RobotsRules(parsing: Array("User-agent: *\n\(text)".utf8), for: product))
  }

  private func isRules(_ access: RobotsAccess?) -> Bool {
    if case .rules? = access { true } else { false }
  }

  @Test func `what was asked long ago, or seldom used, is forgotten`() throws {
    let shelf = Shelf(RobotsShelf(mostOrigins: 8))
    let first = try origin("first")
    for number in 0..<20 {
      if number == 0 {
        shelf.keep(rules("Disallow: /"), for: first, until: clock.now.advanced(byMilliseconds: 5))
      }
      #expect(isRules(shelf.access(to: first, at: clock.now)))
      shelf.keep(.noRules(""), for: try origin("h\(number)"), until: clock.now.advanced(byMilliseconds: 5))
      #expect(shelf.count <= 8)
    }
    #expect(shelf.access(to: try origin("h0"), at: clock.now) == nil)
    #expect(shelf.access(to: try origin("h19"), at: clock.now) != nil)
    #expect(shelf.access(to: first, at: clock.now.advanced(byMilliseconds: 5)) == nil)
  }

  @Test func `files are forgotten when they take too much memory together`() throws {
    let large = rules(String(repeating: "Disallow: /0123456789\n", count: 100))
    let shelf = Shelf(RobotsShelf(mostWeight: large.weight * 4))
    for number in 0..<50 {
      shelf.keep(large, for: try origin("h\(number)"), until: clock.now.advanced(byMilliseconds: 5))
    }
    #expect((2...4).contains(shelf.count))
    #expect(isRules(shelf.access(to: try origin("h49"), at: clock.now)))
  }

  @Test func `what a server said before is trusted while it does not answer`() throws {
    let shelf = Shelf()
    let place = try origin("a")
    shelf.keep(rules("Disallow: /"), for: place, until: clock.now)
    #expect(shelf.access(to: place, at: clock.now) == nil)
    #expect(shelf.failed("503", at: place, askAgainAfter: nil, now: clock.now))
    #expect(isRules(shelf.access(to: place, at: clock.now.advanced(byMilliseconds: 9_999))))
    #expect(shelf.access(to: place, at: clock.now.advanced(byMilliseconds: 10_000)) == nil)
    #expect(shelf.failed(nil, at: place, askAgainAfter: nil, now: clock.now))
    #expect(!shelf.failed(nil, at: try origin("b"), askAgainAfter: nil, now: clock.now))
  }

  @Test(
    arguments: [(nil, 10_000), (1_000, 10_000), (30_000, 30_000), (999_000, 300_000)] as [(Int64?, Int64)])
  func `a server that asks for peace has it, within bounds`(asked: Int64?, pause: Int64) throws {
    let shelf = Shelf()
    let place = try origin("a")
    #expect(shelf.failed("503", at: place, askAgainAfter: asked, now: clock.now))
    #expect(shelf.access(to: place, at: clock.now.advanced(byMilliseconds: pause - 1)) != nil)
    #expect(shelf.access(to: place, at: clock.now.advanced(byMilliseconds: pause)) == nil)
    for _ in 0..<10 { _ = shelf.failed("503", at: place, askAgainAfter: nil, now: clock.now) }
    #expect(shelf.access(to: place, at: clock.now.advanced(byMilliseconds: 299_999)) != nil)
    #expect(shelf.access(to: place, at: clock.now.advanced(byMilliseconds: 300_000)) == nil)
  }

  @Test func `those who wait go on when whoever asks has settled`() async throws {
    let cache = RobotsCache(for: product)
    let place = try origin("a")
    guard case .isYours = cache.claim(place, at: clock.now) else {
      Issue.record("somebody else asks")
      return
    }
    async let waiting = cache.wait(for: place, until: clock.now.advanced(byMilliseconds: 60_000), on: clock)
    #expect(cache.settle(place, .known(rules("Disallow: /"), forMilliseconds: 9), at: clock.now))
    guard case .over = await waiting, case .known = cache.claim(place, at: clock.now) else {
      Issue.record("nothing is known")
      return
    }
  }

  @Test func `a failure is shared with those who wait, and asked about anew by others`() async throws {
    let cache = RobotsCache(for: product)
    let place = try origin("a")
    _ = cache.claim(place, at: clock.now)
    let deadline = clock.now.advanced(byMilliseconds: 60_000)
    let waiting = Task { [clock] in await cache.wait(for: place, until: deadline, on: clock) }
    while cache.waiting(at: place) == 0 { await Task.yield() }
    let failure = Failure(.connect, at: .connect, "refused")
    #expect(!cache.settle(place, .failed(failure, host: "a.test"), at: clock.now))
    guard case .failed(failure) = await waiting.value else {
      Issue.record("not told")
      return
    }
    guard case .isYours = cache.claim(place, at: clock.now) else {
      Issue.record("the failure was kept")
      return
    }
  }

  @Test func `when whoever asked is broken off the next one asks`() async throws {
    let cache = RobotsCache(for: product)
    let place = try origin("a")
    _ = cache.claim(place, at: clock.now)
    guard case .isUnderWay = cache.claim(place, at: clock.now) else {
      Issue.record("two ask at once")
      return
    }
    let deadline = clock.now.advanced(byMilliseconds: 60_000)
    let waiting = Task { [clock] in await cache.wait(for: place, until: deadline, on: clock) }
    while cache.waiting(at: place) == 0 { await Task.yield() }
    #expect(!cache.settle(place, .brokenOff(Failure(.cancelled, at: .queue, ""), host: nil), at: clock.now))
    guard case .over = await waiting.value else {
      Issue.record("the failure of another job is told")
      return
    }
    guard case .isYours = cache.claim(place, at: clock.now) else {
      Issue.record("nobody asks")
      return
    }
  }

  @Test func `nobody waits beyond a deadline, or when cancelled`() async throws {
    let cache = RobotsCache(for: product)
    let place = try origin("a")
    _ = cache.claim(place, at: clock.now)
    let deadline = clock.now.advanced(byMilliseconds: 100)
    let late = Task { [clock] in await cache.wait(for: place, until: deadline, on: clock) }
    let cancelled = Task { [clock] in
      await cache.wait(for: place, until: deadline.advanced(byMilliseconds: 1_000), on: clock)
    }
    cancelled.cancel()
    guard case .cancelled = await cancelled.value else {
      Issue.record("waits though cancelled")
      return
    }
    clock.advance(byMilliseconds: 100)
    guard case .tooLate = await late.value else {
      Issue.record("waits too long")
      return
    }
    #expect(cache.waiting(at: place) == 0)
  }
}
