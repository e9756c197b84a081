import JSONQuery
import LedgerMemory
import Pipeline
import PipelineTesting
import Testing

@testable import Roles

/// What members and strangers say that is not theirs to say.
@Suite(.timeLimit(.minutes(2)))
struct LyingMemberTests {
  private static let site = [
    "http://a.test/": FetchResponse.page("<title>a</title>")
  ]

  /// A fleet whose workers are processes of their own, as far as it knows.
  private static var pipeline: TestPipeline {
    var pipeline = TestPipeline(.framed)
    pipeline.settings.aggregator.workersMayLive = true
    return pipeline
  }

  private func status(_ fleet: TestFleet, _ name: String) async throws -> JSONValue {
    try JSONDocument(parsing: try await fleet.client(name).ask(StatusQuestion()).bytes).root
  }

  @Test func `a fleet goes on whoever tells it to drain`() async throws {
    try await Self.pipeline.withFleet(over: ScriptedFetching(Self.site)) { fleet in
      let lane = try await fleet.ports.transport.connect(to: fleet.aggregator)
      try await lane.send([Envelope.said(.drain)])
      let batch = fleet.newBatch()
      _ = try await fleet.submit([JobDraft(kind: .title, input: "http://a.test/")], as: batch)
      let client = try await fleet.client()
      while try await client.progress(of: batch)?.isComplete != true { await Task.yield() }
      let status = try await status(fleet, "second")
      #expect(status["health"]?.string == "ok")
    }
  }

  @Test func `an aggregator that was drained says so`() async throws {
    try await TestPipeline(.framed).withFleet(over: ScriptedFetching(Self.site)) { fleet in
      let lane = try await fleet.ports.transport.connect(to: fleet.aggregator)
      try await lane.send([Envelope.said(.drain)])
      let status = try await status(fleet, "client")
      #expect(status["health"]?.string == "degraded")
      #expect(status["reason"]?.string?.hasPrefix("drained: nothing more is given out") == true)
    }
  }

  @Test func `results that nobody is waiting for are counted, and not kept`() async throws {
    try await Self.pipeline.withFleet(over: ScriptedFetching(Self.site)) { fleet in
      let lane = try await fleet.ports.transport.connect(to: fleet.aggregator)
      let members = [UInt8](repeating: 0x20, count: 1 << 20)
      let forged = (1...5).map { number in
        Envelope.said(
          .result(
            JobResult(
              job: JobID(UUIDv7(high: 1, low: UInt64(number))), sender: WorkerID.numbered(9),
              lease: Lease(token: LeaseToken(1 << 50), attempt: 1), failure: nil, members: members,
              milliseconds: 0)))
      }
      try await lane.send(forged)
      let status = try await status(fleet, "client")
      #expect(status["strays"]?.minified == "5")
      #expect(status["commits"]?.minified == "0" || status["jobs"]?["ready"]?.minified == "0")
    }
  }
}
