import LedgerMemory
import Pipeline
import PipelineTesting
import Testing

@testable import Roles

/// OEmbed endpoints that an aggregator keeps.
@Suite(.timeLimit(.minutes(10)))
struct OEmbedCachingTests {
  private let clock = ManualClock(isStepping: true)
  private let ledger = MemoryLedger()
  private let batch = BatchID(UUIDv7(high: 2, low: 1))

  private func worker(_ number: UInt64) -> WorkerID { WorkerID.numbered(number) }
  private func address(_ number: UInt64) -> Address { Address("inproc://fetcher-\(number)") }

  private func hello(_ number: UInt64, granted: UInt64) -> Delivery {
    let hello = Hello(
      worker: worker(number), role: .fetcher, locality: "here", address: address(number), granted: granted,
      received: 0)
    return .envelope(Envelope.said(.hello(hello)))
  }

  private func down(_ number: UInt64) -> Delivery {
    .lane(LaneNotice(address: address(number), isUp: false))
  }

  private func submission(of count: UInt64) -> Delivery {
    let jobs = (0..<count).map {
      Job(batch: batch, ordinal: $0, kind: .title, input: "http://a.test/\($0)")
    }
    return .envelope(
      Envelope.said(
        .submit(
          Submit(
            batch: batch, sequence: 1, replyTo: Address("inproc://producer"), jobs: jobs, total: count))))
  }

  /// A job's page is read, and names an endpoint; the job has the token after its number.
  private func oembed(_ number: UInt64, bytes: Int) -> Delivery {
    var continuation = Continuation(
      url: "http://b.test/o", hops: [], visits: [], cookies: [], hasLeft: true, elapsedMilliseconds: 0)
    let title = #""title":""# + String(repeating: "x", count: bytes - 21) + #"""#
    continuation.oembed = OEmbedContinuation(members: Array(title.utf8), card: Array(#""title":"x""#.utf8))
    let job = JobID(batch: batch, ordinal: number)
    var result = JobResult(
      job: job, sender: worker(1), lease: Lease(token: .sealed(number + 1, of: job), attempt: 1),
      failure: nil,
      members: [], milliseconds: 0)
    result.continuation = continuation
    return .envelope(Envelope.said(.result(result)))
  }

  /// Runs an aggregator over bursts that come a second after each other.
  private func rows(after bursts: [[Delivery]]) async throws -> [Row] {
    let clock = clock
    let inbox = ScriptedInbox(Address("inproc://aggregator"), bursts) { clock.advance(byMilliseconds: 1_000) }
    let ports = RolePorts(transport: RecordingTransport(), clock: clock, random: .seeded(1))
    let aggregator = Aggregator(
      settings: AggregatorSettings(perHost: 1_000), inbox: inbox, ledger: ledger, ports: ports)
    await #expect(throws: CancellationError.self) { try await aggregator.run() }
    return try await ledger.rows(of: batch, after: 0, limit: 999, bytes: .max).map(Row.init)
  }

  @Test func `a job on whose oEmbed request three workers died has its page's row`() async throws {
    let deaths = (2...4 as ClosedRange<UInt64>).flatMap { [[hello($0, granted: 9)], [down($0)]] }
    let silence: [[Delivery]] = Array(repeating: [], count: 5)
    let rows = try await rows(
      after: [[submission(of: 1)], [hello(1, granted: 1)], [oembed(0, bytes: 64)]] + deaths + silence)
    #expect(rows.map { $0["status"] } == ["ok"])
    #expect(rows.first?["card.title"] == "x")
    #expect(rows.first?["card.embed_error.kind"] == "poisoned")
  }

  @Test func `oEmbed requests have a bound together, and what is beyond it is done without them`()
    async throws
  {
    let (count, bytes) = (257 as UInt64, OEmbedContinuation.mostBytes)
    let rows = try await rows(
      after: [
        [submission(of: count)], [hello(1, granted: count)], (0..<count).map { oembed($0, bytes: bytes) },
      ])
    #expect(rows.count == 1)
    #expect(rows.first?["status"] == "ok")
    #expect(rows.first?["card.embed_error.kind"] == "underlying")
    #expect(
      rows.first?["card.embed_error.message"]?.hasSuffix(
        "http://b.test/o was not asked, as too many pages wait for their oEmbed endpoints; run it again later"
      )
        == true)
  }
}
