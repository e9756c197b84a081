import Pipeline
import PipelineTesting
import Testing

@testable import Roles

/// What a host asked of one aggregator, the next one keeps to.
@Suite(.timeLimit(.minutes(2)))
struct HostWaitTests {
  private static let waitMilliseconds: Int64 = 120_000

  private let fixture = AggregatorFixture {
    var settings = AggregatorSettings(perHost: 2)
    settings.workersMayLive = true
    return settings
  }
  private let worker = WorkerID.numbered(1)
  private let fetcher = Address("inproc://fetcher")

  private func hello(_ held: [LeaseToken] = []) -> Message {
    let received = UInt64(orders.count)
    return .hello(
      Hello(
        worker: worker, role: .fetcher, locality: "here", address: fetcher, granted: received + 64,
        received: received, held: held))
  }

  private var orders: [JobOrder] {
    fixture.sent(to: fetcher).compactMap { if case .job(let order) = $0 { order } else { nil } }
  }

  private func answer(_ order: JobOrder, _ kind: FailureKind, wait: Int64?) -> Message {
    var failure = Failure(kind, at: .headers, "not now", retryable: true)
    failure.retryAfterMilliseconds = wait
    var result = JobResult(
      job: order.job.id, sender: worker, lease: order.lease, failure: failure, members: [], milliseconds: 5)
    result.failedHost = try? Intake.host(of: order.job)
    return .result(result)
  }

  @Test func `nothing is sent to a host that asked an earlier aggregator to wait`() async throws {
    await fixture.run([[fixture.submission(0..<9, total: 9), hello()], []])
    #expect(orders.count == 2)
    let first = orders
    await fixture.run([
      [hello(first.map(\.lease.token))],
      // The shorter one does not end the longer one.
      zip(first, [Self.waitMilliseconds, 1_000]).map { answer($0, .httpStatus, wait: $1) }, [],
    ])
    #expect(orders.count == 2)
    for _ in 0..<3 { await fixture.run([[hello()], [], []]) }
    #expect(orders.count == 2)
    fixture.clock.advance(byMilliseconds: Self.waitMilliseconds)
    await fixture.run([[hello()], []])
    #expect(orders.count == 4)
  }
}
