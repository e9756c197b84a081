import Pipeline
import Testing

@testable import Roles

/// Which of several fetchers takes the jobs of a host.
struct HostAffinityTests {
  private let start = Moment(unixMilliseconds: 1_000)
  private let fetchers = (1...3).map { WorkerID(UUIDv7(high: 1, low: $0)) }
  private let hosts = (0..<30).map { "h\($0).test" }

  /// - Parameter rounds: How many jobs each host has.
  private func dispatcher(rounds: Int, credits: [UInt64]) -> Dispatcher {
    var dispatcher = Dispatcher(paces: HostPaces(HostPace(atOnce: 1_000)))
    for (fetcher, credit) in zip(fetchers, credits) {
      dispatcher.fetcherSpoke(
        Hello(
          worker: fetcher, role: .fetcher, locality: "here", address: Address("inproc://f"), granted: credit,
          received: 0))
    }
    for ordinal in 0..<rounds * hosts.count {
      let host = hosts[ordinal % hosts.count]
      let job = Job(
        batch: BatchID(UUIDv7(high: 2, low: 2)), ordinal: UInt64(ordinal), kind: .title,
        input: "http://\(host)/\(ordinal)")
      dispatcher.arrived(LedgerJob(job, life: JobLife(), at: start), host: host, at: start)
    }
    return dispatcher
  }

  /// Finishes each job before the next one is given out.
  private func fetchersByHost(_ dispatcher: inout Dispatcher) -> [String: Set<WorkerID>] {
    var found: [String: Set<WorkerID>] = [:]
    while let next = dispatcher.assignments(at: start, atMost: 1).first {
      found[hosts[Int(next.order.job.ordinal) % hosts.count], default: []].insert(next.fetcher)
      _ = dispatcher.sent(next)
      _ = dispatcher.removed(next.order.job.id, at: start)
      dispatcher.received(
        Credit(from: next.fetcher, granted: (dispatcher.fetchers[next.fetcher]?.lane.granted ?? 0) + 1))
    }
    return found
  }

  @Test func `fetchers that are equally busy each keep the same hosts`() {
    var dispatcher = dispatcher(rounds: 5, credits: [100, 100, 100])
    let found = fetchersByHost(&dispatcher)
    #expect(found.values.allSatisfy { $0.count == 1 })
    #expect(Set(found.values.joined()) == Set(fetchers))
  }

  @Test func `one host alone keeps all fetchers busy`() {
    var dispatcher = dispatcher(rounds: 1, credits: [100, 100, 100])
    for ordinal in 100..<190 {
      let job = Job(
        batch: BatchID(UUIDv7(high: 2, low: 2)), ordinal: UInt64(ordinal), kind: .title,
        input: "http://one.test/\(ordinal)")
      dispatcher.arrived(LedgerJob(job, life: JobLife(), at: start), host: "one.test", at: start)
    }
    let given = dispatcher.assignments(at: start)
    #expect(given.count == 120)
    for fetcher in fetchers { #expect(given.filter { $0.fetcher == fetcher }.count >= 36) }
  }

  @Test func `a fetcher with no credit left hands its hosts on to another`() {
    var dispatcher = dispatcher(rounds: 1, credits: [0, 100, 0])
    #expect(dispatcher.assignments(at: start).count == hosts.count)
  }
}
