import Pipeline
import PipelineTesting
import Testing

@testable import Roles

/// One walk by itself, on a clock that stands still.
@Suite(.timeLimit(.minutes(10)))
struct RedirectFollowerTests {
  private static let id = UUIDv7(at: Moment(unixMilliseconds: 1), uniqueHigh: 1, uniqueLow: 2)
  private static let waitMilliseconds: Int64 = 7_000
  private static let exchangeMilliseconds: Int64 = 10

  private let clock = ManualClock()

  /// Lets nobody in at once.
  private struct SlowDoor: HostSlotSource {
    let clock: ManualClock

    func pass(
      _ token: LeaseToken, to host: String, number: UInt32, until deadline: Moment?
    ) async -> HostSlotAnswer {
      clock.advance(byMilliseconds: waitMilliseconds)
      return .granted
    }
  }

  private func order(_ link: String) -> JobOrder {
    let job = Job(batch: BatchID(Self.id), ordinal: 0, kind: .unfurl, input: link)
    return JobOrder(job: job, lease: Lease(token: LeaseToken(1), attempt: 1))
  }

  @Test func `waiting for the turn of a host is not part of the time that a walk may take`() async throws {
    let fixture = WalkFixture([
      "http://a.test/": .redirect(to: "http://b.test/"), "http://b.test/": .turn("0;/next"),
    ])
    let slow = ScriptedFetching { [clock] request in
      clock.advance(byMilliseconds: Self.exchangeMilliseconds)
      return await fixture.fetching.fetch(request)
    }
    let start = clock.now
    let walk = RedirectFollower(fetching: slow, clock: clock, settings: FetcherSettings())
    let end = await walk.walk(order("http://a.test/"), through: SlowDoor(clock: clock))
    #expect(end.milliseconds == Self.waitMilliseconds + 2 * Self.exchangeMilliseconds)
    #expect(end.continuation?.elapsedMilliseconds == UInt32(2 * Self.exchangeMilliseconds))
    #expect(end.waitedMilliseconds == Self.waitMilliseconds)
    let times = fixture.requests.map { $0.deadline.milliseconds(since: start) }
    #expect(times == [30_000, 30_000 + Self.waitMilliseconds])
  }

  @Test func `what says nothing of whom it is for is kept for nobody`() {
    var order = order("http://a.test/")
    order.caching = CachePolicy()
    var end = RedirectFollower.End()
    end.response = FetchResponse(status: 200)
    #expect(CacheNote(for: order, end) == nil)
    end.isPrivate = false
    #expect(CacheNote(for: order, end) != nil)
  }
}
