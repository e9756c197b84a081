import Pipeline
import Testing

@testable import Roles

struct WorkerRegistryTests {
  private let fetcher = WorkerID(UUIDv7(high: 1, low: 1))
  private let decoder = WorkerID(UUIDv7(high: 1, low: 2))
  private let start = Moment(unixMilliseconds: 1_000_000)
  private var registry = WorkerRegistry()
  private var leases = Leases()

  private func hello(
    _ worker: WorkerID, _ role: Role, received: UInt64 = 10, held: [UInt64] = [], executing: [UInt64] = []
  ) -> Hello {
    Hello(
      worker: worker, role: role, locality: "here", address: Address("inproc://\(worker)"), granted: 100,
      received: received, held: held.map { LeaseToken($0) }, executing: executing.map { LeaseToken($0) })
  }

  private mutating func give(_ token: UInt64, sequence: UInt64) {
    let batch = BatchID(UUIDv7(high: 2, low: 2))
    leases.granted(
      LeaseToken(token), of: JobID(batch: batch, ordinal: token), to: fetcher, payer: batch, slot: "")
    leases.sent(LeaseToken(token), to: fetcher, sequence: sequence, watched: registry.watched)
  }

  private mutating func spoke(_ hello: Hello, at now: Moment) -> [Leases.Loss] {
    registry.spoke(hello, &leases, at: now)
  }

  private mutating func died(_ worker: WorkerID, at now: Moment) -> [Leases.Loss] {
    registry.died(worker, &leases, at: now)
  }

  private mutating func staff(decoders: Bool = true) {
    for milliseconds in [-6_000, -4_000, -2_000, 0] as [Int64] {
      registry.listens(at: start.advanced(byMilliseconds: milliseconds))
    }
    _ = spoke(hello(fetcher, .fetcher), at: start)
    if decoders { _ = spoke(hello(decoder, .decoder), at: start) }
    give(7, sequence: 1)
  }

  @Test mutating func `a worker that is only known by its leases is told to drain when it is heard`() {
    registry.expect(fetcher, lastHeard: start, lastHeardAny: start, at: start)
    #expect(registry.drainWished(fetcher, leases) == nil)
    #expect(registry.drainWished(decoder, leases) == .gone)
    _ = spoke(hello(fetcher, .fetcher), at: start)
    #expect(registry.workers[fetcher]?.isToDrain == true)
  }

  @Test mutating func `how long a worker is silent is told also while its words wait to be read`() throws {
    staff()
    registry.isHeard(fetcher, at: start.advanced(byMilliseconds: 9_000))
    let later = start.advanced(byMilliseconds: 10_000)
    func silence(of id: WorkerID, at now: Moment) throws -> Int64 {
      registry.silence(of: id, try #require(registry.workers[id]), at: now)
    }
    #expect(try silence(of: fetcher, at: later) == 1_000)
    #expect(try silence(of: decoder, at: later) == 10_000)
    // What waited was not heard before it is read, so nobody counts as absent for it.
    registry.listens(at: later)
    #expect(try silence(of: fetcher, at: later) == Heartbeat.longestTurnMilliseconds)
    #expect(registry.findAbsent().silent.isEmpty)
  }

  /// One that ends breaks its lanes off; one that is stopped does not.
  @Test(arguments: [true, false])
  mutating func `a worker that does not come back to a lane that was cut here is named as silent`(
    isOwn: Bool
  ) {
    staff()
    let address = Address("tcp://10.0.0.7:4000")
    registry.heard(LaneNotice(address: address, isUp: false, mayBeReload: true, isOwn: isOwn), of: fetcher)
    var away: [WorkerID] = []
    for seconds in 1...10 as ClosedRange<Int64> where away.isEmpty {
      let now = start.advanced(byMilliseconds: seconds * 1_000)
      registry.listens(at: now)
      _ = spoke(hello(decoder, .decoder), at: now)
      away = registry.findAbsent().stayedAway
    }
    #expect(away == [fetcher])
    _ = registry.died(fetcher, isCertain: false, &leases, at: start)
    #expect(registry.silenced.map(\.id) == (isOwn ? [fetcher] : []))
  }

  @Test mutating func `a lease that its worker lists is kept`() {
    staff()
    #expect(spoke(hello(fetcher, .fetcher, held: [7]), at: start).isEmpty)
    #expect(leases.overdue(at: start.advanced(byMilliseconds: 60_000)).isEmpty)
  }

  @Test mutating func `a lease that a fetcher no longer lists is lost once the decoders do not have it`() {
    staff()
    #expect(spoke(hello(fetcher, .fetcher), at: start).isEmpty)
    #expect(spoke(hello(decoder, .decoder), at: start).map(\.token) == [LeaseToken(7)])
  }

  @Test mutating func `an aggregator that has just started waits for decoders it does not know`() {
    give(7, sequence: 0)
    #expect(spoke(hello(fetcher, .fetcher), at: start).isEmpty)
    let soon = start.advanced(byMilliseconds: 3_000)
    #expect(leases.overdue(at: soon).isEmpty)
    #expect(spoke(hello(decoder, .decoder, held: [7]), at: soon).isEmpty)
    #expect(leases.overdue(at: start.advanced(byMilliseconds: 60_000)).isEmpty)
  }

  @Test mutating func `a lease that no decoder comes with is lost`() {
    give(7, sequence: 0)
    #expect(spoke(hello(fetcher, .fetcher), at: start).isEmpty)
    #expect(
      leases.overdue(at: start.advanced(byMilliseconds: 4_000)) == [
        Leases.Loss(token: LeaseToken(7))
      ])
  }

  @Test mutating func `a lease that a decoder lists is the decoder's from then on`() {
    staff()
    #expect(spoke(hello(fetcher, .fetcher), at: start).isEmpty)
    #expect(spoke(hello(decoder, .decoder, held: [7]), at: start).isEmpty)
    #expect(died(fetcher, at: start).isEmpty)
    #expect(died(decoder, at: start) == [Leases.Loss(token: LeaseToken(7))])
  }

  @Test mutating func `a job on its way is not lost, unless it has been for too long`() {
    staff()
    give(8, sequence: 11)
    #expect(spoke(hello(fetcher, .fetcher, held: [7]), at: start).isEmpty)
    for milliseconds in [2_000, 4_000, 6_000] as [Int64] {
      registry.listens(at: start.advanced(byMilliseconds: milliseconds))
    }
    let late = start.advanced(byMilliseconds: 6_000)
    #expect(
      spoke(hello(fetcher, .fetcher, held: [7]), at: late)
        == [Leases.Loss(token: LeaseToken(8), neverArrived: true)])
  }

  @Test mutating func `a job is not lost because the aggregator stood still before it read what was said`() {
    staff()
    give(8, sequence: 11)
    let afterAStall = start.advanced(byMilliseconds: 20_000)
    #expect(spoke(hello(fetcher, .fetcher, held: [7]), at: afterAStall).isEmpty)
    registry.listens(at: afterAStall)
    #expect(spoke(hello(fetcher, .fetcher, held: [7]), at: afterAStall).isEmpty)
  }

  @Test mutating func `the jobs of a dead fetcher are looked for at the decoders, but not for long`() {
    staff()
    _ = spoke(hello(fetcher, .fetcher, held: [7], executing: [7]), at: start)
    #expect(died(fetcher, at: start).isEmpty)
    #expect(leases.overdue(at: start).isEmpty)
    #expect(
      leases.overdue(at: start.advanced(byMilliseconds: 20))
        == [Leases.Loss(token: LeaseToken(7), mayBeToBlame: true, dead: fetcher)])
  }

  @Test mutating func `a good-bye that is read after its lane went down blames no job`() {
    staff()
    #expect(registry.died(fetcher, isCertain: false, &leases, at: start).isEmpty)
    registry.noteLeaving(fetcher, &leases)
    #expect(leases.overdue(at: start.advanced(byMilliseconds: 20)) == [Leases.Loss(token: LeaseToken(7))])
  }

  @Test mutating func `the aggregator is woken when a search ends, and not again for one that is over`() {
    staff()
    registry.listens(at: start)
    #expect(died(fetcher, at: start).isEmpty)
    let end = start.advanced(byMilliseconds: 20)
    #expect(leases.searchesLastUntil == end)
    let isOver = leases.released(LeaseToken(7)) != nil
    #expect(!isOver)
    #expect(leases.overdue(at: end).isEmpty)
    #expect(leases.searchesLastUntil == nil)
  }

  @Test mutating func `without any decoder the jobs of a dead fetcher are lost at once`() {
    staff(decoders: false)
    #expect(died(fetcher, at: start) == [Leases.Loss(token: LeaseToken(7), dead: fetcher)])
  }

  @Test
  mutating func `a fetcher's death is charged to what it was executing, and to what it may have begun with`()
  {
    staff(decoders: false)
    give(8, sequence: 2)
    give(9, sequence: 11)
    #expect(spoke(hello(fetcher, .fetcher, held: [7, 8], executing: [8]), at: start).isEmpty)
    let blamed = died(fetcher, at: start).filter(\.mayBeToBlame)
    #expect(Set(blamed.map(\.token)) == [LeaseToken(8), LeaseToken(9)])
  }

  @Test mutating func `whoever is silent for ten seconds of listening is taken for dead`() {
    staff(decoders: false)
    for second in stride(from: Int64(2_000), through: 8_000, by: 2_000) {
      registry.listens(at: start.advanced(byMilliseconds: second))
      #expect(registry.findAbsent().silent.isEmpty)
    }
    registry.listens(at: start.advanced(byMilliseconds: 10_000))
    #expect(registry.findAbsent().silent == [fetcher])
  }

  @Test mutating func `a worker that fell silent is remembered until it is back, for a day at most`() {
    staff(decoders: false)
    for second in stride(from: Int64(2_000), through: 10_000, by: 2_000) {
      registry.listens(at: start.advanced(byMilliseconds: second))
    }
    #expect(registry.silenced.isEmpty)
    _ = died(fetcher, at: start)
    #expect(registry.silenced.map(\.id) == [fetcher])
    let wasLost = registry.cameBack(fetcher)
    #expect(wasLost && registry.silenced.isEmpty)
    staff(decoders: false)
    _ = died(fetcher, at: start)
    #expect(registry.silenced.isEmpty, "its lane went down: it was seen to end")
  }

  @Test mutating func `time in which the aggregator stood still is nobody's silence`() {
    staff(decoders: false)
    registry.listens(at: start.advanced(byMilliseconds: 30_000))
    #expect(registry.findAbsent().silent.isEmpty)
  }

  @Test
  mutating func `a worker of an earlier aggregator has only the rest of its time, and a moment at least`() {
    registry.listens(at: start)
    registry.expect(
      fetcher, lastHeard: start.advanced(byMilliseconds: -60_000),
      lastHeardAny: start.advanced(byMilliseconds: -2_000), at: start)
    give(7, sequence: 0)
    registry.listens(at: start.advanced(byMilliseconds: 200))
    #expect(registry.findAbsent().silent.isEmpty)
    registry.listens(at: start.advanced(byMilliseconds: 1_000))
    #expect(registry.findAbsent().silent == [fetcher])
    // It never spoke to us, so it cannot have died of what we gave it.
    #expect(died(fetcher, at: start) == [Leases.Loss(token: LeaseToken(7))])
  }

  @Test mutating func `after a long absence of the aggregator workers have the time that their lanes take`() {
    let before = start.advanced(byMilliseconds: -60_000)
    registry.listens(at: start)
    registry.expect(fetcher, lastHeard: before, lastHeardAny: before, at: start)
    registry.listens(at: start.advanced(byMilliseconds: 2_400))
    #expect(registry.findAbsent().silent.isEmpty)
    registry.listens(at: start.advanced(byMilliseconds: 3_100))
    #expect(registry.findAbsent().silent == [fetcher])
  }
}
