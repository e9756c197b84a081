import Links
import Posix
import Synchronization
import Testing

@testable import FetchCurl

@Suite(.timeLimit(.minutes(1)))
struct NAT64DiscoveryTests {
  private func discovery(
    _ answers: @escaping @Sendable (Int) -> [String]?, at time: @escaping @Sendable () -> Int64 = { 0 }
  ) -> (NAT64Discovery, Counter) {
    let counter = Counter()
    return (NAT64Discovery(resolve: { answers(counter.next()) }, now: time), counter)
  }

  @Test func `the resolver is asked once, and its prefix is known at once`() throws {
    let (discovery, counter) = discovery { _ in ["192.0.0.170", "2a00:1::192.0.0.170"] }
    let expected = [try NAT64Prefix("2a00:1::/96")]
    #expect(discovery.prefixes == expected)
    #expect(discovery.prefixes == expected)
    #expect(counter.value == 1)
  }

  @Test func `a network without NAT64 is not asked again`() {
    let (discovery, counter) = discovery { _ in ["192.0.0.170", "192.0.0.171"] }
    #expect(discovery.prefixes.isEmpty && discovery.prefixes.isEmpty)
    #expect(counter.value == 1)
  }

  @Test func `a resolver that does not answer holds requests up for a moment only`() throws {
    let never = try StopSignal()
    let (discovery, counter) = discovery(
      { _ in
        try? never.sleep(milliseconds: 30_000)
        return nil
      }, at: { SystemTime.monotonicMicroseconds })
    let start = SystemTime.monotonicMicroseconds
    for _ in 0..<100 { #expect(discovery.prefixes.isEmpty) }
    #expect(SystemTime.monotonicMicroseconds - start < 10_000_000)
    #expect(counter.value == 1)
    never.raise()
  }

  @Test func `a request that comes while the resolver is asked waits for its answer`() async throws {
    let clock = Counter()
    let discovery = NAT64Discovery(
      resolve: {
        // Once when this one was begun, once when the other came.
        while clock.value < 2 {}
        return ["2a00:1::192.0.0.170"]
      },
      now: {
        _ = clock.next()
        return 0
      }, longestWaitMilliseconds: 60_000)
    let expected = [try NAT64Prefix("2a00:1::/96")]
    async let other = discovery.prefixes
    #expect(discovery.prefixes == expected)
    #expect(await other == expected)
  }

  @Test func `after a failure it is asked again a minute later`() throws {
    let clock = Counter()
    let (discovery, counter) = discovery(
      { $0 == 1 ? nil : ["2a00:1::192.0.0.170"] }, at: { Int64(clock.value) * 1_000_000 })
    #expect(discovery.prefixes.isEmpty)
    for _ in 0..<59 { _ = clock.next() }
    #expect(discovery.prefixes.isEmpty && counter.value == 1)
    _ = clock.next()
    while discovery.prefixes.isEmpty {}
    #expect(counter.value == 2)
  }
}

private final class Counter: Sendable {
  private let count = Mutex(0)

  var value: Int { count.withLock { $0 } }

  func next() -> Int {
    count.withLock {
      $0 += 1
      return $0
    }
  }
}
