import Pipeline
import Testing

@testable import Roles

struct DispatcherTests {
  private let start = Moment(unixMilliseconds: 1_000)
  private let fetcher = WorkerID(UUIDv7(high: 1, low: 1))

  private func hello(granted: UInt64, received: UInt64 = 0) -> Hello {
    Hello(
      worker: fetcher, role: .fetcher, locality: "here", address: Address("inproc://f"), granted: granted,
      received: received)
  }

  private func dispatcher(jobs count: Int, credit: UInt64) -> Dispatcher {
    var dispatcher = Dispatcher(paces: HostPaces(HostPace(atOnce: 1_000)))
    dispatcher.fetcherSpoke(hello(granted: credit))
    let batch = BatchID(UUIDv7(high: 2, low: 2))
    for ordinal in 0..<UInt64(count) {
      var job = Job(batch: batch, ordinal: ordinal, kind: .title, input: "http://a.test/\(ordinal)")
      job.id = JobID(UUIDv7(high: 3, low: ordinal))
      dispatcher.arrived(LedgerJob(job, life: JobLife(), at: start), host: "a.test", at: start)
    }
    return dispatcher
  }

  @Test func `a turn gives out no more than it may, and the next one goes on`() {
    var dispatcher = dispatcher(jobs: 8, credit: 100)
    let given = (1...3).map { _ in
      dispatcher.assignments(at: start, atMost: 3).map { Int($0.order.job.ordinal) }
    }
    #expect(given == [[0, 1, 2], [3, 4, 5], [6, 7]])
  }

  @Test func `a job that left its line for a lease that goes on takes no turn there`() throws {
    var dispatcher = Dispatcher(paces: HostPaces(HostPace(atOnce: 1)))
    dispatcher.fetcherSpoke(hello(granted: 100))
    let job = Job(
      batch: BatchID(UUIDv7(high: 2, low: 2)), ordinal: 0, kind: .title, input: "http://a.test/")
    dispatcher.arrived(LedgerJob(job, life: JobLife(), at: start), host: "a.test", at: start)
    let lease = try #require(dispatcher.assignments(at: start).first).order.lease
    dispatcher.requeued(job.id, crashed: false, at: start)
    dispatcher.noteLost(lease, of: job.id, wasCharged: false)
    #expect(dispatcher.resumed(lease.token, by: fetcher, at: start) != nil)
    let continuation = Continuation(
      url: "http://b.test/", hops: [], visits: [], cookies: [], hasLeft: true, elapsedMilliseconds: 0)
    dispatcher.ledOn(job.id, continuation, host: "b.test", at: start)
    #expect(dispatcher.assignments(at: start).count == 1)
    #expect(dispatcher.hosts.availability(host: "a.test", at: start) == .now)
    #expect(dispatcher.hosts.availability(host: "b.test", at: start) == .soon(notBefore: nil))
  }

  @Test func `an oEmbed request outlives its fetcher, and is forgotten with the job`() throws {
    var dispatcher = dispatcher(jobs: 0, credit: 100)
    var job = Job(
      batch: BatchID(UUIDv7(high: 2, low: 2)), ordinal: 0, kind: .title, input: "http://a.test/")
    job.reading.wantsEmbed = true
    dispatcher.arrived(LedgerJob(job, life: JobLife(), at: start), host: "a.test", at: start)
    var continuation = Continuation(
      url: "http://b.test/o", hops: [], visits: [], cookies: [], hasLeft: true, elapsedMilliseconds: 0)
    continuation.oembed = OEmbedContinuation(members: Array("1".utf8), card: Array("2".utf8))
    #expect(dispatcher.assignments(at: start).map(\.order.continuation) == [nil])
    dispatcher.ledOn(job.id, continuation, host: "b.test", at: start)
    let oembed = try #require(dispatcher.assignments(at: start).first)
    #expect(oembed.order.continuation == continuation)
    #expect(oembed.order.lease.attempt == 1)
    dispatcher.requeued(job.id, crashed: true, at: start)
    let again = try #require(dispatcher.assignments(at: start).first)
    #expect(again.order.continuation == continuation)
    #expect(again.order.job == job)
    #expect(again.order.lease.attempt == 2)
    #expect(dispatcher.oembedBytes == 2)
    dispatcher.requeued(job.id, crashed: false, at: start)
    #expect(dispatcher.assignments(at: start).map(\.order.continuation) == [continuation])
    _ = dispatcher.removed(job.id, at: start)
    #expect(dispatcher.oembedBytes == 0)
  }

  @Test func `a refresh is forgotten with its fetcher, and an oEmbed request with another attempt`() throws {
    for isOEmbed in [false, true] {
      var dispatcher = dispatcher(jobs: 1, credit: 100)
      let id = try #require(dispatcher.assignments(at: start).first).order.job.id
      var continuation = Continuation(
        url: "http://b.test/", hops: [], visits: [], cookies: [], hasLeft: true, elapsedMilliseconds: 0)
      if isOEmbed { continuation.oembed = OEmbedContinuation(members: [], card: Array("2".utf8)) }
      dispatcher.ledOn(id, continuation, host: "b.test", at: start)
      #expect(dispatcher.assignments(at: start).map(\.order.continuation) == [continuation])
      if isOEmbed {
        dispatcher.postponed(
          id, until: start, after: Failure(.connect, at: .connect, "refused"), at: start)
        _ = dispatcher.dueRetries(at: start)
      } else {
        dispatcher.requeued(id, crashed: true, at: start)
      }
      #expect(dispatcher.assignments(at: start).map(\.order.continuation) == [nil])
      #expect(dispatcher.oembedBytes == 0)
    }
  }

  /// Copying the queue with every start would run into the time limit by far.
  @Test(.timeLimit(.minutes(10)))
  func `a large queue is given out without being copied`() {
    let count = 200_000
    var dispatcher = dispatcher(jobs: count, credit: 500)
    var given = 0
    while given < count {
      let assignments = dispatcher.assignments(at: start, atMost: 500)
      guard !assignments.isEmpty else { break }
      for assignment in assignments {
        _ = dispatcher.sent(assignment)
        _ = dispatcher.removed(assignment.order.job.id, at: start)
        given += 1
      }
      dispatcher.fetcherSpoke(hello(granted: UInt64(given) + 500))
    }
    #expect(given == count)
  }

  @Test func `a fetcher gets no more than it has credit for`() {
    var dispatcher = dispatcher(jobs: 8, credit: 5)
    #expect(dispatcher.assignments(at: start).count == 5)
    #expect(dispatcher.assignments(at: start).isEmpty)
  }

  @Test func `a count of crashes that a damaged ledger tells is no trap`() throws {
    var dispatcher = Dispatcher(paces: HostPaces(HostPace(atOnce: 8)))
    let job = Job(batch: BatchID(UUIDv7(high: 2, low: 2)), ordinal: 0, kind: .title, input: "http://a.test/")
    let life = JobLife(state: .ready, attempts: 0, crashes: .max)
    dispatcher.arrived(LedgerJob(job, life: life, at: start), host: "a.test", at: start)
    dispatcher.requeued(job.id, crashed: true, at: start)
    dispatcher.requeued(job.id, crashed: true, at: start)
    #expect(try #require(dispatcher.jobs[job.id]).crashes == .max)
    #expect(try #require(dispatcher.jobs[job.id]).crashesThatCount >= JobLife.crashesUntilPoisoned)
  }

  /// The jobs of all that was sent are over, so nobody misses what got lost of it.
  @Test(arguments: [
    LostCredit(received: 5, hears: [(6_000, 0), (12_000, 0)]),
    LostCredit(received: 3, hears: [(6_000, 0), (6_001, 2)]),
    LostCredit(received: 0, hears: [(1_001, 0), (6_001, 5)]),
  ])
  func `credit that was lost on the way to a fetcher is made good when it stays lost`(
    row: LostCredit
  ) {
    var dispatcher = dispatcher(jobs: 5, credit: 5)
    for assignment in dispatcher.assignments(at: start) {
      #expect(dispatcher.sent(assignment) != nil)
      _ = dispatcher.removed(assignment.order.job.id, at: start)
    }
    dispatcher.fetcherSpoke(hello(granted: 5, received: row.received), watched: 1_000)
    #expect(dispatcher.freeCredit(of: fetcher) == 0, "it may be on its way")
    for hear in row.hears {
      dispatcher.fetcherSpoke(hello(granted: 5, received: row.received), watched: hear.watched)
      #expect(dispatcher.freeCredit(of: fetcher) == hear.credit, "\(hear.watched)")
    }
  }

  @Test func `what a worker is still on keeps its host's place until it lets go`() throws {
    var dispatcher = Dispatcher(paces: HostPaces(HostPace(atOnce: 1)))
    dispatcher.fetcherSpoke(hello(granted: 9))
    let jobs = (0..<2 as Range<UInt64>).map {
      Job(batch: BatchID(UUIDv7(high: 2, low: 2)), ordinal: $0, kind: .title, input: "http://a.test/\($0)")
    }
    for job in jobs {
      dispatcher.arrived(LedgerJob(job, life: JobLife(), at: start), host: "a.test", at: start)
    }
    let assignment = try #require(dispatcher.assignments(at: start).first)
    let first = assignment.order
    #expect(dispatcher.sent(assignment) != nil)
    #expect(dispatcher.dropped(first.job.id, at: start)?.token == first.lease.token)
    #expect(dispatcher.job(under: first.lease.token) == nil)
    #expect(dispatcher.assignments(at: start).isEmpty)
    #expect(dispatcher.leakCounts["leases"] == 1)
    dispatcher.release(first.lease.token, at: start)
    dispatcher.release(first.lease.token, at: start)
    #expect(dispatcher.assignments(at: start).map(\.order.job) == [jobs[1]])
    #expect(dispatcher.assignments(at: start).isEmpty, "the place is free once")
    #expect(dispatcher.leakCounts["leases"] == 1)
  }

  @Test func `jobs that end while their host pauses are not queued any more`() {
    var dispatcher = dispatcher(jobs: 0, credit: 1)
    dispatcher.pause(host: "a.test", until: start.advanced(byMilliseconds: 1_000))
    let jobs = (0..<10 as Range<UInt64>).map {
      Job(batch: BatchID(UUIDv7(high: 2, low: 2)), ordinal: $0, kind: .title, input: "http://a.test/\($0)")
    }
    for job in jobs {
      dispatcher.arrived(LedgerJob(job, life: JobLife(), at: start), host: "a.test", at: start)
    }
    #expect(dispatcher.queued == 10)
    for job in jobs.prefix(7) { _ = dispatcher.removed(job.id, at: start) }
    #expect(dispatcher.queued == 3)
    // One comes back, and is counted and given out once.
    dispatcher.arrived(LedgerJob(jobs[0], life: JobLife(), at: start), host: "a.test", at: start)
    #expect(dispatcher.queued == 4)
    dispatcher.fetcherSpoke(hello(granted: 10))
    let later = start.advanced(byMilliseconds: 1_000)
    #expect(dispatcher.assignments(at: later).map(\.order.job.ordinal).sorted() == [0, 7, 8, 9])
    #expect(dispatcher.queued == 0)
  }

  @Test func `a crash that was none is not charged, also when an earlier aggregator knew of more`() throws {
    var dispatcher = dispatcher(jobs: 0, credit: 9)
    let job = Job(batch: BatchID(UUIDv7(high: 2, low: 2)), ordinal: 0, kind: .title, input: "http://a.test/")
    var life = JobLife(state: .ready, attempts: 3, crashes: 3)
    dispatcher.arrived(LedgerJob(job, life: life, at: start), host: "a.test", at: start)
    for token in 1...2 as ClosedRange<UInt64> {
      let lease = try #require(dispatcher.assignments(at: start).first?.order.lease)
      #expect(lease == Lease(token: LeaseKey(high: 0, low: 0).token(token, of: job.id), attempt: 4))
      let isGranted = life.granted(lease)
      let isCrashed = life.take(.crashed(lease.token))
      dispatcher.requeued(job.id, crashed: true, at: start)
      let isAbsolved = life.take(.absolved(from: try #require(dispatcher.jobs[job.id]).crashes))
      dispatcher.absolved(job.id, lostUnder: lease.token, at: start)
      #expect(isGranted && isCrashed && isAbsolved)
    }
  }

  @Test func `a job that was to run alone, and did not crash after all, has its turn among others`() throws {
    var dispatcher = dispatcher(jobs: 0, credit: 9)
    let job = Job(batch: BatchID(UUIDv7(high: 2, low: 2)), ordinal: 0, kind: .title, input: "http://a.test/")
    let life = JobLife(state: .ready, attempts: 1, crashes: 1)
    dispatcher.arrived(LedgerJob(job, life: life, at: start), host: "a.test", at: start)
    let lease = try #require(dispatcher.assignments(at: start).first?.order.lease)
    dispatcher.requeued(job.id, crashed: true, at: start)
    dispatcher.absolved(job.id, lostUnder: lease.token, at: start)
    #expect(dispatcher.assignments(at: start).map(\.order.job.id) == [job.id])
  }

  /// Its old place is still in its host's line, and had its turn there taken for the other's.
  @Test func `a job that comes to memory again does not have the turn of one behind its old place`() {
    var dispatcher = dispatcher(jobs: 0, credit: 9)
    let batch = BatchID(UUIDv7(high: 2, low: 2))
    let calls = BatchID.calls(of: JobID(batch: batch, ordinal: 0), life: 0)
    func arrive(_ batch: BatchID, _ ordinal: UInt64) -> JobID {
      let job = Job(batch: batch, ordinal: ordinal, kind: .title, input: "http://a.test/\(batch)/\(ordinal)")
      dispatcher.arrived(LedgerJob(job, life: JobLife(), at: start), host: "a.test", at: start)
      return job.id
    }
    dispatcher.pays(batch, for: calls)
    let called = [arrive(calls, 0), arrive(calls, 1)]
    let other = arrive(batch, 1)
    dispatcher.pays(nil, for: calls)
    for id in called { _ = dispatcher.removed(id, at: start) }
    _ = [arrive(calls, 0), arrive(calls, 1)]
    let given = dispatcher.assignments(at: start).map(\.order.job.id)
    #expect(Set(given) == Set(called + [other]))
    #expect(dispatcher.hosts.count() == 0)
  }
}

/// What a fetcher says that it has of five jobs, and its credit at moments of listening when it says so again.
struct LostCredit {
  let received: UInt64
  let hears: [(watched: Int64, credit: UInt64)]
}
