import Pipeline
import Testing

@testable import Roles

/// Equal links of several batches, of which one may not start jobs.
struct LimitedLeaderTests {
  private let now = Moment(unixMilliseconds: 1_000)
  private let limited = BatchID(UUIDv7(high: 2, low: 1))
  private let other = BatchID(UUIDv7(high: 3, low: 1))

  /// A fetcher, and an equal job of each batch.
  private func dispatcher() -> Dispatcher {
    var dispatcher = Dispatcher(paces: HostPaces(HostPace(atOnce: 9)))
    dispatcher.fetcherSpoke(
      Hello(
        worker: WorkerID(UUIDv7(high: 1, low: 1)), role: .fetcher, locality: "here",
        address: Address("inproc://f"), granted: 9, received: 0))
    for batch in [limited, other] {
      let job = Job(batch: batch, ordinal: 0, kind: .title, input: "http://a.test/")
      dispatcher.arrived(LedgerJob(job, life: JobLife(), at: now), host: "a.test", at: now)
    }
    return dispatcher
  }

  private func started(_ dispatcher: inout Dispatcher) -> [BatchID] {
    dispatcher.assignments(at: now).map(\.order.job.batch)
  }

  @Test func `a job that is taken back after its batch was paused lets the other ask`() {
    var dispatcher = dispatcher()
    #expect(started(&dispatcher) == [limited])
    dispatcher.set(BatchTerms(), of: limited, isPaused: true, at: now)
    #expect(started(&dispatcher) == [])
    dispatcher.requeued(JobID(batch: limited, ordinal: 0), crashed: false, at: now)
    #expect(started(&dispatcher) == [other])
  }

  @Test func `a job whose retry is due while its batch is paused lets the other ask`() {
    var dispatcher = dispatcher()
    #expect(started(&dispatcher) == [limited])
    dispatcher.set(BatchTerms(), of: limited, isPaused: true, at: now)
    let failure = Failure(.timeout, at: .connect, "slow")
    dispatcher.postponed(JobID(batch: limited, ordinal: 0), until: now, after: failure, at: now)
    #expect(dispatcher.dueRetries(at: now).count == 1)
    #expect(started(&dispatcher) == [other])
  }

  @Test func `no job starts whose batch is about to be ended, and none of another waits for it`() {
    var dispatcher = dispatcher()
    dispatcher.stop(limited, true, at: now)
    #expect(started(&dispatcher) == [other])
    dispatcher.set(BatchTerms(), of: limited, isPaused: true, at: now)
    dispatcher.set(BatchTerms(), of: limited, isPaused: false, at: now)
    #expect(started(&dispatcher) == [])
    dispatcher.stop(limited, false, at: now)
    #expect(started(&dispatcher) == [limited])
  }

  @Test func `a batch with a rate goes on when a worker that counted as dead comes back with its jobs`()
    throws
  {
    let worker = WorkerID(UUIDv7(high: 1, low: 1))
    var dispatcher = dispatcher()
    #expect(started(&dispatcher) == [limited])
    let batch = BatchID(UUIDv7(high: 4, low: 1))
    var terms = BatchTerms()
    terms.perHour = 3_600
    dispatcher.set(terms, of: batch, isPaused: false, isNew: true, at: now)
    for ordinal in 0..<2 as Range<UInt64> {
      let job = Job(batch: batch, ordinal: ordinal, kind: .title, input: "http://b.test/\(ordinal)")
      dispatcher.arrived(LedgerJob(job, life: JobLife(), at: now), host: "b.test", at: now)
    }
    let first = try #require(dispatcher.assignments(at: now).first)
    #expect(started(&dispatcher) == [])
    dispatcher.requeued(first.order.job.id, crashed: false, at: now)
    dispatcher.noteLost(first.order.lease, of: first.order.job.id, wasCharged: false)
    let later = now.advanced(byMilliseconds: 1_500)
    #expect(dispatcher.resumed(first.order.lease.token, by: worker, at: later) != nil)
    #expect(dispatcher.assignments(at: later).map(\.order.job.batch) == [batch])
  }

  @Test func `a job that waits when its batch gets a limit lets the other ask`() {
    var dispatcher = dispatcher()
    dispatcher.set(BatchTerms(), of: limited, isPaused: true, at: now)
    #expect(started(&dispatcher) == [other])
  }
}
