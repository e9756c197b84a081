import Pipeline
import Testing

@testable import Roles

struct DispatcherTests {
  private let start = Moment(unixMilliseconds: 1_000)
  private let fetcher = WorkerID(UUIDv7(high: 1, low: 1))

  private func dispatcher(jobs count: Int, credit: UInt64) -> Dispatcher {
    var dispatcher = Dispatcher(settings: AggregatorSettings(perHost: 1_000))
    dispatcher.fetcherSpoke(
      Hello(
        worker: fetcher, role: .fetcher, cell: "here", address: Address("inproc://f"), granted: credit,
        received: 0))
    let batch = BatchID(UUIDv7(high: 2, low: 2))
    for ordinal in 0..<UInt64(count) {
      var job = Job(batch: batch, ordinal: ordinal, kind: .title, input: "http://a.test/\(ordinal)")
      job.id = JobID(UUIDv7(high: 3, low: ordinal))
      dispatcher.arrived(OpenJob(job: job, life: JobLife()), host: "a.test", at: start)
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

  /// Copying the queue with every start would run into the time limit by far.
  @Test(.timeLimit(.minutes(1)))
  func `a large queue is given out without being copied`() {
    let count = 200_000
    var dispatcher = dispatcher(jobs: count, credit: UInt64(count))
    var given = 0
    while given < count {
      for assignment in dispatcher.assignments(at: start, atMost: 500) {
        _ = dispatcher.removed(assignment.order.job.id, at: start)
        given += 1
      }
    }
    #expect(given == count)
  }

  @Test func `a fetcher gets no more than it has credit for`() {
    var dispatcher = dispatcher(jobs: 8, credit: 5)
    #expect(dispatcher.assignments(at: start).count == 5)
    #expect(dispatcher.assignments(at: start).isEmpty)
  }

  @Test func `a count of crashes that a damaged ledger tells is no trap`() throws {
    var dispatcher = Dispatcher(settings: AggregatorSettings())
    let job = Job(batch: BatchID(UUIDv7(high: 2, low: 2)), ordinal: 0, kind: .title, input: "http://a.test/")
    let life = JobLife(state: .ready, attempts: 0, crashes: .max)
    dispatcher.arrived(OpenJob(job: job, life: life), host: "a.test", at: start)
    dispatcher.returned(job.id, crashed: true, at: start)
    dispatcher.returned(job.id, crashed: true, at: start)
    #expect(try #require(dispatcher.jobs[job.id]).crashes >= JobLife.crashesUntilPoisoned)
  }
}
