import JSONQuery
import LedgerMemory
import Pipeline
import PipelineTesting
import Posix
import Testing

@testable import Roles

@Suite(.timeLimit(.minutes(10)))
struct StatusTests {
  private let fetcher = FleetStatus.Worker(
    id: WorkerID(UUIDv7(high: 1, low: 2)), role: "fetcher", locality: "rack-7", address: "ipc:///f",
    held: 3, free: 253, heardMsAgo: 12, messages: 40, version: "1.2.2", wire: "1.0", verdict: "compatible")

  private func status(of workers: [FleetStatus.Worker]) -> FleetStatus {
    var status = FleetStatus(of: WorkerProgram(version: ""), uptimeMilliseconds: 0)
    status.workers = workers
    return status
  }

  private func judged(_ fault: String? = nil) -> FleetStatus {
    var counts = JobCounts()
    (counts.ready, counts.dead) = (7, 1)
    let first = Moment(unixMilliseconds: 1_000)
    let batch = LedgerBatch(
      BatchID(UUIDv7(high: 3, low: 4)), serial: 1,
      BatchProgress(total: 9, rows: 6, settled: 5, failed: 2, cancelled: 1, isAbandoned: true), confirmed: 6,
      submittedAt: first, firstSubmittedAt: first)
    var open = LedgerBatch(
      BatchID(UUIDv7(high: 5, low: 6)), serial: 2, submittedAt: first, firstSubmittedAt: first)
    open.terms = BatchTerms(name: "monday")
    var status = FleetStatus(of: WorkerProgram(version: "1.2.3", process: 17), uptimeMilliseconds: 99)
    (status.work.messages, status.work.commits) = (12, 5)
    (status.work.cached, status.work.revalidated) = (3, 2)
    status.jobs = counts.byState
    status.oldestMs = Members(
      [("ready", 61_000), ("leased", nil)].map { ($0.0, OrNull(wrappedValue: $0.1)) })
    (status.runnable, status.freeCredit, status.suspects) = (3, 253, 5)
    for kind in [FailureKind.tls, .timeout, .timeout, .dns, .dns] { status.failures.add(kind) }
    status.retries = FleetStatus.Retries(left: 42, refused: 6)
    status.hosts = FleetStatus.Hosts(
      slow: 2, givenUp: 1, jobsLost: 8, worst: [.init("b.test", jobs: 5), .init("a.test", jobs: 3)], others: 0
    )
    var leaving = fetcher
    (leaving.verdict, leaving.leaving) = ("draining", true)
    status.workers = [leaving]
    status.batches = [open, batch].map { BatchReport($0, at: Moment(unixMilliseconds: 63_000)) }
    _ = status.judge(FleetStatus.Circumstances(fault: fault))
    return status
  }

  private func report(_ fault: String? = nil) -> String {
    String(decoding: judged(fault).json, as: UTF8.self)
  }

  @Test func `a report is this text`() {
    #expect(
      report() == #"""
        {"schema":"halyard.status/1","version":"1.2.3","pid":17,"uptime_ms":99,"health":"degraded",\#
        "reason":"no workers: all jobs wait for a fetcher and a decoder","ready":false,\#
        "messages":12,"commits":5,"strays":0,\#
        "refused_messages":{"client":0,"fetcher":0,"decoder":0,"worker":0},"cached":3,"revalidated":2,\#
        "jobs":{"waiting":0,"ready":7,"leased":0,"scheduled":0,"failed":1},\#
        "oldest_ms":{"ready":61000,"leased":null},"runnable":3,"free_credit":253,"suspects":5,\#
        "recent":{"1m":{"ms":0,"submitted":0,"done":0,"failed":0,"cancelled":0,"failures":{}},\#
        "15m":{"ms":0,"submitted":0,"done":0,"failed":0,"cancelled":0,"failures":{}}},\#
        "failures":{"dns":2,"timeout":2,"tls":1},\#
        "retries":{"left":42,"refused":6},"hosts":{"slow":2,"given_up":1,"asked_to_wait":0,\#
        "jobs_lost":8,"worst":[{"host":"b.test","jobs":5},{"host":"a.test","jobs":3}],"others":0,"in_trouble":[]},\#
        "ledger":{"keeps_ms":null,"reserve":{"bytes":0,"given_up":false}},\#
        "workers":[{"id":"00000000-0000-0001-0000-000000000002","role":"fetcher","locality":"rack-7",\#
        "address":"ipc:///f","held":3,"free":253,"heard_ms_ago":12,"messages":40,"version":"1.2.2","wire":"1.0",\#
        "verdict":"draining","leaving":true}],\#
        "batches":[{"id":"00000000-0000-0005-0000-000000000006","name":"monday",\#
        "submitted":"1970-01-01T00:00:01.000Z","age_ms":62000,"total":null,"settled":0,"done":0,"failed":0,"cancelled":0,"open":null,"unread":0},\#
        {"id":"00000000-0000-0003-0000-000000000004","submitted":"1970-01-01T00:00:01.000Z","age_ms":62000,"total":9,"settled":5,"done":2,"failed":2,"cancelled":1,"open":4,"abandoned":true,"unread":0}],"other_batches":0}
        """#)
  }

  @Test(
    arguments: [
      (nil, nil), (WorkerSandbox.none, "none"), (.filter, "seccomp"),
      (.filterAndLandlock, "seccomp+landlock"),
    ]
      as [(WorkerSandbox?, String?)])
  func `a worker's sandbox is told where it is known`(sandbox: WorkerSandbox?, name: String?) throws {
    var decoder = fetcher
    (decoder.role, decoder.sandbox) = ("decoder", sandbox?.name)
    let workers = try #require(try JSONDocument(parsing: status(of: [decoder]).json).root["workers"])
    #expect(workers.elements.map { $0["sandbox"]?.string } == [name])
  }

  @Test func `a fault of the ledger is the reason why it is degraded`() {
    #expect(report("disk full").contains(#""health":"degraded","reason":"disk full""#))
  }

  @Test(
    arguments: [
      ([(Role.fetcher, "a"), (.decoder, "a")], nil), ([(.decoder, "a")], "no fetcher: all jobs wait"),
      ([(.fetcher, "a")], "no decoder: pages wait"),
      ([(.fetcher, "a"), (.fetcher, "b"), (.decoder, "a")], "no decoder in locality b: pages wait"),
      (
        [(.fetcher, "a"), (.decoder, "a"), (.decoder, "b")],
        "no fetcher in locality b: its decoders get no pages"
      ),
      ([], "no workers"),
    ] as [([(Role, String)], String?)])
  func `a role that is missing is the reason why it is degraded`(
    workers: [(Role, String)], reason: String?
  ) throws {
    let here = workers.map { role, locality in
      var worker = fetcher
      (worker.role, worker.locality) = (role.name, locality)
      return worker
    }
    var status = status(of: here)
    #expect((status.judge() == nil) == (reason == nil))
    #expect(status.health == (reason == nil ? "ok" : "degraded"))
    #expect(status.reason?.hasPrefix(reason ?? "") == (reason == nil ? nil : true))
  }

  @Test(
    arguments: [
      (nil, "'halyard up' starts those that end, and its log says why; one that is stopped does nothing"),
      (17, "is silent: if it is stopped, let it go on with 'kill -CONT 17'"),
    ] as [(UInt32?, String)])
  func `under up a missing decoder comes back in another way`(silent: UInt32?, remedy: String) {
    var report = status(of: [fetcher])
    report.wanted = FleetSize(fetchers: 1, decoders: 1)
    if let silent {
      var stopped = fetcher
      (stopped.role, stopped.pid) = ("decoder", silent)
      report.silentWorkers = [stopped]
    }
    let reason = report.judge()
    #expect(reason?.hasSuffix(remedy) == true, "\(reason ?? "none")")
  }

  @Test func `where up runs none of a role any more, it is said how to start some`() {
    var report = status(of: [fetcher])
    report.wanted = FleetSize(fetchers: 1, decoders: 0)
    #expect(report.judge()?.hasSuffix("start some with 'halyard scale decoders N'") == true)
  }

  @Test func `a fleet whose up says nothing any more is not well`() {
    var decoder = fetcher
    decoder.role = "decoder"
    var report = status(of: [fetcher, decoder])
    #expect(report.judge() == nil)
    let trouble = report.judge(FleetStatus.Circumstances(isUnattended: true, up: 17))
    #expect(trouble?.hasPrefix("'halyard up' says nothing any more") == true)
    #expect(trouble?.hasSuffix("'kill -CONT 17'") == true)
  }

  @Test(arguments: [(60_000, false), (1_000, true)])
  func `up is not blamed for the time in which the aggregator itself stood still`(
    milliseconds: Int64, isBlamed: Bool
  ) async {
    let fixture = AggregatorFixture()
    let size = FleetSize(fetchers: 1, decoders: 1)
    let transport = RecordingTransport()
    // One long turn, or as much time in turns of a second.
    let turns = Int(60_000 / milliseconds)
    let bursts =
      [[fixture.ask(StatusQuestion(of: size, by: 17))]] + [[Message]](repeating: [], count: turns - 1)
      + [[fixture.ask(StatusQuestion())]]
    let inbox = ScriptedInbox(
      Address("inproc://aggregator"), bursts.map { $0.map { .envelope(Envelope($0)) } },
      beforeEach: { [clock = fixture.clock] in clock.advance(byMilliseconds: milliseconds) })
    let aggregator = Aggregator(
      settings: AggregatorSettings(), inbox: inbox, ledger: fixture.ledger,
      ports: RolePorts(transport: transport, clock: fixture.clock, random: .seeded(1)))
    try? await aggregator.run()
    let tells = transport.sent(to: fixture.client).compactMap { message -> String? in
      if case .tell(let tell) = message { String(decoding: tell.json, as: UTF8.self) } else { nil }
    }
    #expect(tells.count == 2)
    #expect(tells.last?.contains("'halyard up' says nothing any more") == isBlamed, "\(tells)")
  }

  @Test func `a fleet that began an empty ledger in place of a lost one says so as long as it runs`() {
    var decoder = fetcher
    decoder.role = "decoder"
    var report = status(of: [fetcher, decoder])
    report.ledger.lost = "/f/ledger.db"
    #expect(report.judge() == nil)
    #expect(report.health == "degraded")
    #expect(report.reason?.contains("its ledger /f/ledger.db was gone when the aggregator started") == true)
  }

  @Test func `a decoder that is leaving is named where one is missing`() {
    var leaving = fetcher
    (leaving.role, leaving.verdict, leaving.leaving) = ("decoder", "draining", true)
    var report = status(of: [fetcher, leaving])
    report.wanted = FleetSize(fetchers: 1, decoders: 1)
    let reason = report.judge()
    #expect(
      reason?.contains("; decoder \(leaving.id) finishes what it has, and ends") == true,
      "\(reason ?? "none")")
  }

  @Test func `a fleet tells who works in it`() async throws {
    try await TestPipeline(.framed).withFleet(over: ScriptedFetching([:])) { fleet async throws -> Void in
      let client = try await fleet.client()
      var status = try JSONDocument(parsing: try await client.ask(StatusQuestion()).bytes).root
      while status["workers"]?.count != 2 {
        status = try JSONDocument(parsing: try await client.ask(StatusQuestion()).bytes).root
      }
      let workers = status["workers"].map { Array($0.elements) } ?? []
      #expect(workers.map { $0["role"]?.string } == ["fetcher", "decoder"])
      #expect(workers.map { $0["free"]?.minified } == ["256", nil])
      #expect(workers.allSatisfy { $0["locality"]?.string == "thread 0" })
    }
  }

  @Test func `a fleet tells how many messages its jobs took`() async throws {
    let count = 40
    try await TestPipeline(.framed).withFleet(over: ScriptedFetching([:])) { fleet async throws -> Void in
      let client = try await fleet.client()
      let drafts = [JobDraft](repeating: JobDraft(kind: .echo, input: nil), count: count)
      #expect(try await fleet.submit(drafts, as: fleet.newBatch()) == UInt64(count))
      // A worker tells with its next HELLO what it has taken.
      var taken: [Int64] = []
      while taken.count < 2 || taken.contains(where: { $0 < count }) {
        let status = try JSONDocument(parsing: try await client.ask(StatusQuestion()).bytes).root
        #expect(status["messages"]?.int64 ?? 0 > 0)
        taken = status["workers"]?.elements.compactMap { $0["messages"]?.int64 } ?? []
      }
    }
  }

  @Test func `a fleet names the hosts that were given up, and how many jobs that cost`() async throws {
    let fetching = ScriptedFetching { request in
      request.url.contains("dead")
        ? .failure(Failure(.connect, at: .connect, "fetch \(request.url): refused"))
        : .success(.redirect(to: "http://dead.test/"))
    }
    var pipeline = TestPipeline(.framed)
    pipeline.settings.aggregator = AggregatorSettings(perHost: 1, retry: RetryRule(retries: 0))
    pipeline.settings.aggregator.givesUpAfter = 1
    try await pipeline.withFleet(over: fetching) { fleet async throws -> Void in
      let client = try await fleet.client()
      func hosts(after drafts: [JobDraft], by name: String) async throws -> JSONValue? {
        let batch = fleet.newBatch()
        _ = try await fleet.submit(drafts, as: batch, name: name)
        while try await client.progress(of: batch)?.open != 0 {}
        return try JSONDocument(parsing: try await client.ask(StatusQuestion()).bytes).root["hosts"]
      }
      let links = (0..<10).map { JobDraft(kind: .title, input: "http://dead.test/\($0)") }
      // The first finds it dead. Of equal links one asks for all.
      let direct = try await hosts(after: links + [links[9]], by: "direct")
      #expect(direct?["given_up"]?.int64 == 1)
      #expect(direct?["jobs_lost"]?.int64 == 10)
      let short = (0..<7).map { JobDraft(kind: .title, input: "http://sho.rt/\($0)") }
      let led = try await hosts(after: short, by: "short")
      #expect(led?["jobs_lost"]?.int64 == 17)
      #expect(led?["worst"]?.minified == #"[{"host":"dead.test","jobs":17}]"#)
      #expect(led?["others"]?.int64 == 0)
    }
  }

  @Test func `a fleet whose ledger is full says so, and gets well by itself`() async throws {
    let ledger = FailingLedger(LedgerError("the disk is full", kind: .full))
    let pipeline = TestPipeline(.framed, ledger: ledger)
    try await pipeline.withFleet(over: ScriptedFetching([:])) { fleet async throws -> Void in
      let client = try await fleet.client()
      async let submitted = fleet.submit([JobDraft(kind: .title, input: nil)], as: fleet.newBatch())
      func health() async throws -> JSONValue {
        try JSONDocument(parsing: try await client.ask(StatusQuestion()).bytes).root
      }
      var status = try await health()
      while status["reason"]?.string != "the disk is full" { status = try await health() }
      #expect(status["health"]?.string == "degraded")
      #expect(status["reason"]?.string == "the disk is full")
      // Whoever waits for something else asks this to know that the fleet is not gone.
      #expect(try await client.progress(of: fleet.newBatch()) == nil)
      ledger.heal()
      #expect(try await submitted == 1)
      // Its workers say hello again before it is well.
      while try await health()["health"]?.string != "ok" {}
    }
  }

  @Test func `a fleet that cannot commit is told more than it can keep, and still answers`() async throws {
    let ledger = FailingLedger(LedgerError("the disk is full", kind: .full))
    let pipeline = TestPipeline(.framed, ledger: ledger)
    try await pipeline.withFleet(over: ScriptedFetching([:])) { fleet async throws -> Void in
      let client = try await fleet.client(timeoutMilliseconds: 20_000)
      async let submitted = fleet.submit([JobDraft(kind: .title, input: nil)], as: fleet.newBatch())
      func reason() async throws -> String? {
        try JSONDocument(parsing: try await client.ask(StatusQuestion()).bytes).root["reason"]?.string
      }
      while try await reason() != "the disk is full" {}
      let stranger = WorkerID(fleet.ports.random.uuid(at: fleet.ports.clock.now))
      let outlet = try await fleet.ports.transport.connect(to: fleet.aggregator)
      try await outlet.send(
        Array(repeating: Envelope.said(.credit(Credit(from: stranger, granted: 1))), count: 3_000))
      #expect(try await reason() == "the disk is full")
      ledger.heal()
      #expect(try await submitted == 1)
    }
  }
}
