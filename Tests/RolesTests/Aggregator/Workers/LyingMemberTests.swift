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
  private static var settings: AggregatorSettings {
    var settings = AggregatorSettings()
    settings.workersMayLive = true
    return settings
  }

  private func status(_ fleet: TestFleet, _ name: String) async throws -> JSONValue {
    try JSONDocument(parsing: try await fleet.client(name).status()).root
  }

  @Test func `a fleet goes on whoever tells it to drain`() async throws {
    try await TestFleet.run(over: ScriptedFetching(Self.site), settings: Self.settings) { fleet in
      let lane = try await fleet.ports.transport.connect(to: fleet.aggregator)
      try await lane.send([Envelope(.drain)])
      let batch = fleet.newBatch()
      _ = try await fleet.submit([JobDraft(kind: .title, input: "http://a.test/")], as: batch)
      let client = try await fleet.client()
      while try await client.progress(of: batch)?.isComplete != true { await Task.yield() }
      let status = try await status(fleet, "second")
      #expect(status["health"]?.string == "ok")
    }
  }

  @Test func `an aggregator that was drained says so`() async throws {
    try await TestFleet.run(over: ScriptedFetching(Self.site)) { fleet in
      let lane = try await fleet.ports.transport.connect(to: fleet.aggregator)
      try await lane.send([Envelope(.drain)])
      let status = try await status(fleet, "client")
      #expect(status["health"]?.string == "degraded")
      #expect(status["reason"]?.string?.hasPrefix("drained: nothing more is given out") == true)
    }
  }

  @Test func `results that nobody is waiting for are counted, and not kept`() async throws {
    try await TestFleet.run(over: ScriptedFetching(Self.site), settings: Self.settings) { fleet in
      let lane = try await fleet.ports.transport.connect(to: fleet.aggregator)
      let members = [UInt8](repeating: 0x20, count: 1 << 20)
      let forged = (1...5).map { number in
        Envelope(
          .result(
            JobResult(
              job: JobID(UUIDv7(high: 1, low: UInt64(number))), sender: WorkerID(UUIDv7(high: 9, low: 9)),
              lease: Lease(token: LeaseToken(1 << 50), attempt: 1), failure: nil, members: members,
              milliseconds: 0)))
      }
      try await lane.send(forged)
      let status = try await status(fleet, "client")
      #expect(status["strays"]?.minified == "5")
      #expect(status["commits"]?.minified == "0" || status["jobs"]?["ready"]?.minified == "0")
    }
  }

  /// With a fetcher of other options, which gets nothing: all jobs go to the first one.
  @Test func `a fetcher with other options gets no jobs, and the status says why`() async throws {
    var settings = Self.settings
    settings.program = .init(version: "1.2.3", options: [FindingOption(name: "allow-address", hash: 1)])
    try await TestFleet.run(
      over: ScriptedFetching(Self.site), settings: settings,
      program: WorkerProgram(version: "1.2.3", options: [FindingOption(name: "allow-address", hash: 1)])
    ) { fleet in
      let transport = fleet.ports.transport
      let inbox = try await transport.bind(Address("inproc://stranger"))
      let lane = try await transport.connect(to: fleet.aggregator)
      var hello = Hello(
        worker: WorkerID(UUIDv7(high: 6, low: 6)), role: .fetcher, locality: "here", address: inbox.address,
        granted: 10_000, received: 0)
      hello.program = WorkerProgram(version: "1.2.3", options: [])
      try await lane.send([Envelope(.hello(hello))])
      let batch = fleet.newBatch()
      _ = try await fleet.submit([JobDraft(kind: .title, input: "http://a.test/")], as: batch)
      let client = try await fleet.client()
      while try await client.progress(of: batch)?.isComplete != true { await Task.yield() }
      // On a slow machine it would have been silent for long by now.
      try await lane.send([Envelope(.hello(hello))])
      let status = try await status(fleet, "second")
      #expect(
        status["reason"]?.string
          == "fetcher \(hello.worker) gets nothing to do: its --allow-address is not the fleet's; start it as the rest of its fleet"
      )
      let stranger = status["workers"]?.elements.first { $0["id"]?.string == hello.worker.description }
      #expect(stranger?["differs"]?.string == "its --allow-address is not the fleet's")
      let heard = try await inbox.receive(atMost: 100, until: fleet.ports.clock.now).envelopes
      #expect(!heard.contains { if case .job = $0.message { true } else { false } })
    }
  }
}
