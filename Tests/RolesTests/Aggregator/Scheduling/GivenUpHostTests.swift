import Pipeline
import PipelineTesting
import Posix
import Testing

@testable import Roles

/// Hosts that are given up in a fleet, and come back.
@Suite(.timeLimit(.minutes(10)))
struct GivenUpHostTests {
  private final class Lines: Log {
    private let said = Lock<[String]>([])
    var all: [String] { said.withLock { $0 } }

    func record(_ level: LogLevel, _ message: StaticString, _ metadata: [LogField]) {
      guard "\(message)".hasPrefix("a host") else { return }
      let fields = metadata.map { " \($0.name)=\($0.value)" }.joined()
      said.withLock { $0.append("\(level) \(message)\(fields)") }
    }
  }

  private static var settings: AggregatorSettings {
    var settings = AggregatorSettings(perHost: 1, retry: RetryRule(retries: 0))
    settings.givesUpAfter = 1
    settings.workersMayLive = true
    return settings
  }

  @Test func `a requeue gives a host that is given up a new chance, one job first`() async throws {
    let (isBack, requests) = (Lock(false), Lock(0))
    let network = ScriptedFetching { request in
      requests.withLock { $0 += 1 }
      return isBack.withLock { $0 }
        ? .success(.page("<title>A</title>"))
        : .failure(Failure(.connect, at: .connect, "fetch \(request.url): refused"))
    }
    var pipeline = TestPipeline(.framed)
    pipeline.settings.aggregator = Self.settings
    try await pipeline.withFleet(over: network) { fleet async throws -> Void in
      let (batch, client) = (fleet.newBatch(), try await fleet.client())
      func end() async throws -> BatchProgress {
        while true {
          if let progress = try await client.progress(of: batch), progress.isComplete { return progress }
        }
      }
      let drafts = (0..<20).map { JobDraft(kind: .title, input: "http://a.test/\($0)") }
      _ = try await fleet.submit(drafts, as: batch)
      #expect(try await end().failed == 20)
      #expect(requests.withLock { $0 } == 1)
      #expect(try await client.ask(RequeueOrder(JobChoice(host: "a.test"))) == 20)
      #expect(try await end().failed == 20)
      #expect(requests.withLock { $0 } == 2, "one job finds out that it is still dead")
      isBack.withLock { $0 = true }
      #expect(try await client.ask(RequeueOrder(JobChoice(batch))) == 20)
      #expect(try await end().done == 20)
      #expect(requests.withLock { $0 } == 22)
    }
  }

  @Test func `the log says that a host is given up, and that it answers again`() async {
    let log = Lines()
    let fixture = AggregatorFixture(log: log) { Self.settings }
    let worker = WorkerID.numbered(1)
    func result(_ token: UInt64, _ failure: Failure?) -> [Message] {
      (0..<2 as Range<UInt64>).map { ordinal in
        let job = JobID(batch: fixture.batch, ordinal: ordinal)
        return .result(
          JobResult(
            job: job, sender: worker, lease: Lease(token: .sealed(token, of: job), attempt: 1),
            failure: failure, failedHost: failure.map { _ in "a.test" },
            members: Array(#""url":"http://a.test/""#.utf8), milliseconds: 5))
      }
    }
    let hello = Message.hello(
      Hello(
        worker: worker, role: .fetcher, locality: "here", address: Address("inproc://fetcher"), granted: 9,
        received: 0))
    let refused = Failure(.connect, at: .connect, "refused", retryable: true)
    await fixture.run(
      [[hello], [fixture.submission(0..<2, total: 2)], [], result(1, refused), []]
        + [[fixture.requeue()], [hello], [], [], result(2, nil), []])
    #expect(log.all.count == 2, "\(log.all)")
    #expect(
      log.all.first?.hasPrefix(
        "warning a host is given up, and its jobs fail host=a.test failures=1 kind=connect until=20") == true)
    #expect(log.all.last == "info a host that was given up answers again host=a.test")
  }
}
