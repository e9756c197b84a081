import Pipeline
import Testing

@testable import Roles

/// How many wait for the rows of equal jobs.
struct WaiterCountTests {
  @Test func `waiters that leave or are served are not counted any more, and all their hosts are told`() {
    var singleFlight = SingleFlight(mostWaiters: 8)
    func join(_ numbers: ClosedRange<UInt64>, of batch: UInt64, at host: String) -> [JobID?] {
      numbers.map { number in
        let input = "http://\(host)/"
        var job = Job(batch: Self.batch(batch), ordinal: number, kind: .title, input: input)
        job.id = Self.job(number)
        return singleFlight.join(job, host: host)
      }
    }
    #expect(join(0...6, of: 1, at: "a.test") == [nil] + Array(repeating: Self.job(0), count: 6))
    #expect(join(7...7, of: 2, at: "a.test") == [Self.job(0)])
    #expect(join(10...11, of: 2, at: "b.test") == [nil, Self.job(10)])
    #expect(singleFlight.waiterCount == 8)
    #expect(singleFlight.waiterCount(of: Self.batch(2)) == 2)
    #expect(singleFlight.surplus(host: "a.test") == 7)
    #expect(singleFlight.surplus(of: Self.batch(2), host: "a.test") == 1)
    #expect(singleFlight.takeShrunk() == [])

    singleFlight.left(Self.job(3), Self.job(0))
    #expect(singleFlight.left(first: 2, of: Self.job(0)) == [Self.job(1), Self.job(2)])
    #expect(singleFlight.surplus(host: "a.test") == 1)
    #expect(singleFlight.surplus(host: "b.test") == 0)
    // What left is room for the waiters of the other host, too.
    #expect(singleFlight.takeShrunk() == ["a.test", "b.test"])

    #expect(singleFlight.completed(Self.job(0)) == [4, 5, 6, 7].map(Self.job))
    #expect(singleFlight.completed(Self.job(10)) == [Self.job(11)])
    #expect(singleFlight.waiterCount == 0)
    #expect(singleFlight.waiterCount(of: Self.batch(2)) == 0)
    #expect(singleFlight.takeShrunk() == ["a.test", "b.test"])
    #expect(singleFlight.count == 0)
  }

  private static func batch(_ number: UInt64) -> BatchID { BatchID(UUIDv7(high: 0xFFFF - number, low: 1)) }
  private static func job(_ number: UInt64) -> JobID { JobID(UUIDv7(high: 3, low: number)) }
}
