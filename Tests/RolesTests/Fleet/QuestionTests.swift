import JSONQuery
import LedgerMemory
import Pipeline
import PipelineTesting
import Posix
import Roles
import Testing

/// What a fleet answers to whom, and what it does when it is asked to.
@Suite(.timeLimit(.minutes(10)))
struct QuestionTests {
  private let pages = ScriptedFetching([
    "http://a.test/": .page("<title>A</title>"), "http://b.test/": .page("<title>B</title>"),
    "http://gone.test/": .page("<title>Gone</title>", status: 404),
  ])
  private let drafts = ["a", "gone", "b"].map { JobDraft(kind: .title, input: "http://\($0).test/") }

  private func rows(
    _ client: FleetClient, of batch: BatchID, ordered: Bool = false
  ) async throws -> [NumberedRow] {
    let rows = Lock<[NumberedRow]>([])
    let copies = RowCopies(of: batch, isOrdered: ordered, follows: true)
    let count = try await client.copy(copies) { arrived in rows.withLock { $0 += arrived } }
    #expect(count == UInt64(rows.withLock { $0.count }))
    return rows.withLock { $0 }
  }

  @Test func `rows can be read again by anybody, each once`() async throws {
    try await TestPipeline(.framed).withFleet(over: pages) { [self] fleet async throws -> Void in
      let batch = fleet.newBatch()
      #expect(try await fleet.submit(drafts, as: batch) == 3)
      let (first, second) = (try await fleet.client("first"), try await fleet.client("second"))
      let read = try await rows(first, of: batch)
      #expect(read.map(\.number) == [1, 2, 3])
      #expect(try await rows(first, of: batch) == read)
      #expect(try await rows(second, of: batch, ordered: true).map(\.ordinal) == [0, 1, 2])
      let there = Lock(0)
      #expect(
        try await second.copy(RowCopies(of: batch)) { rows in there.withLock { $0 += rows.count } } == 3)
      #expect(there.withLock { $0 } == 3)
    }
  }

  @Test func `submitting again adds nothing`() async throws {
    try await TestPipeline(.framed).withFleet(over: pages) { [self] fleet async throws -> Void in
      let batch = fleet.newBatch()
      #expect(try await fleet.submit(drafts, as: batch) == 3)
      #expect(try await fleet.submit(drafts, as: batch, name: "again") == 0)
      #expect(try await rows(fleet.client(), of: batch).count == 3)
    }
  }

  @Test func `a batch that nobody knows is told from one that is done`() async throws {
    try await TestPipeline(.framed).withFleet(over: pages) { [self] fleet async throws -> Void in
      let (batch, client) = (fleet.newBatch(), try await fleet.client())
      #expect(try await client.progress(of: batch) == nil)
      #expect(try await client.copy(RowCopies(of: batch, follows: true)) { _ in } == nil)
      _ = try await fleet.submit(drafts, as: batch)
      _ = try await rows(client, of: batch)
      var progress = try #require(try await client.progress(of: batch))
      progress.lineage = 0
      #expect(progress == BatchProgress(total: 3, rows: 3, settled: 3, failed: 1))
    }
  }

  @Test func `who follows a batch hears its end also when its last rows were pruned`() async throws {
    try await TestPipeline(.framed).withFleet(over: pages) { fleet async throws -> Void in
      let (batch, client) = (fleet.newBatch(), try await fleet.client())
      let drafts = ["a"] + [String](repeating: "gone", count: 20)
      _ = try await fleet.submit(
        drafts.map { JobDraft(kind: .title, input: "http://\($0).test/") }, as: batch)
      #expect(try await rows(client, of: batch).count == 21)
      let failed = ForgettingChoice(batch: batch, end: .dead, unconfirmedToo: true)
      _ = try await client.care(.forget(failed, olderThanMilliseconds: 0))
      let left = Lock(0)
      let copies = RowCopies(of: batch, follows: true)
      #expect(try await client.copy(copies) { rows in left.withLock { $0 += rows.count } } != nil)
      #expect(left.withLock { $0 } == 1)
    }
  }

  @Test func `the dead letters of a batch get another life`() async throws {
    let isBack = Lock(false)
    let network = ScriptedFetching { _ in
      .success(.page("<title>T</title>", status: isBack.withLock { $0 } ? 200 : 404))
    }
    try await TestPipeline(.framed).withFleet(over: network) { [self] fleet async throws -> Void in
      let (batch, client) = (fleet.newBatch(), try await fleet.client())
      _ = try await fleet.submit(drafts, as: batch)
      #expect(try await rows(client, of: batch).allSatisfy { $0.failure == .httpStatus })
      isBack.withLock { $0 = true }
      #expect(try await client.ask(RequeueOrder(JobChoice(batch))) == 3)
      #expect(try await client.ask(RequeueOrder(JobChoice(batch))) == 0)
      let read = try await rows(client, of: batch)
      #expect(read.map(\.number) == [4, 5, 6])
      #expect(read.allSatisfy { $0.failure == nil })
    }
  }

  @Test func `only dead letters of the failures that are named get another life`() async throws {
    let drafts = ["http://a.test/", "ftp://b.test/", "http://c.test/"].map {
      JobDraft(kind: .title, input: $0)
    }
    let network = ScriptedFetching { _ in .success(.page("<title>T</title>", status: 404)) }
    try await TestPipeline(.framed).withFleet(over: network) { [self] fleet async throws -> Void in
      let (batch, client) = (fleet.newBatch(), try await fleet.client())
      _ = try await fleet.submit(drafts, as: batch)
      _ = try await rows(client, of: batch)
      #expect(try await client.ask(RequeueOrder(JobChoice(batch), of: [.timeout])) == 0)
      #expect(try await client.ask(RequeueOrder(JobChoice(batch), of: [.timeout, .unsupportedScheme])) == 1)
      let read = try await rows(client, of: batch)
      #expect(read.map(\.number).max() == 4)
      #expect(read.first { $0.number == 4 }?.failure == .unsupportedScheme)
    }
  }

  @Test func `dead letters of one job, of a host or since a time get another life`() async throws {
    let drafts = ["http://a.test/", "http://b.test/1", "http://b.test/2"].map {
      JobDraft(kind: .title, input: $0)
    }
    let network = ScriptedFetching { _ in .success(.page("<title>T</title>", status: 404)) }
    try await TestPipeline(.framed).withFleet(over: network) { [self] fleet async throws -> Void in
      let (batch, client) = (fleet.newBatch(), try await fleet.client())
      let before = Moment(unixMilliseconds: 1)
      _ = try await fleet.submit(drafts, as: batch)
      _ = try await rows(client, of: batch)
      let later = Moment(unixMilliseconds: 4_000_000_000_000)
      #expect(try await client.ask(RequeueOrder(JobChoice(job: JobID(batch: batch, ordinal: 7)))) == 0)
      #expect(try await client.ask(RequeueOrder(JobChoice(job: JobID(batch: batch, ordinal: 0)))) == 1)
      #expect(try await rows(client, of: batch).map(\.ordinal).last == 0)
      #expect(try await client.ask(RequeueOrder(JobChoice(host: "b.test"))) == 2)
      _ = try await rows(client, of: batch)
      #expect(try await client.ask(RequeueOrder(JobChoice(batch, host: "c.test"))) == 0)
      #expect(try await client.ask(RequeueOrder(JobChoice(since: later))) == 0)
      #expect(try await client.ask(RequeueOrder(JobChoice(host: "b.test", since: before), of: [.dns])) == 0)
      #expect(try await client.ask(RequeueOrder(JobChoice(since: before))) == 3)
      #expect(try await rows(client, of: batch).count == 3)
    }
  }

  @Test func `one job, those of a host or since a time are cancelled, and counted once`() async throws {
    let network = ScriptedFetching { _ in
      try? await Task.sleep(for: .seconds(60))
      return .failure(Failure(.timeout, at: .body, "too late"))
    }
    let drafts = ["http://a.test/", "http://b.test/", "http://b.test/", "http://c.test/"].map {
      JobDraft(kind: .title, input: $0)
    }
    try await TestPipeline(.framed).withFleet(over: network) { [self] fleet async throws -> Void in
      let (batch, client) = (fleet.newBatch(), try await fleet.client())
      let before = Moment(unixMilliseconds: 1)
      _ = try await fleet.submit(drafts, as: batch)
      let host = JobChoice(host: "b.test")
      #expect(try await client.ask(CancelOrder(host, cause: "enough")) == 2)
      #expect(try await client.ask(CancelOrder(host, cause: "enough")) == 0)
      let first = JobChoice(job: JobID(batch: batch, ordinal: 0))
      #expect(try await client.ask(CancelOrder(first, cause: "enough")) == 1)
      #expect(try await client.ask(CancelOrder(first, cause: "enough")) == 0)
      #expect(try await client.progress(of: batch)?.cancelled == 3)
      #expect(try await client.ask(CancelOrder(JobChoice(since: before), cause: "enough")) == 1)
      #expect(try await rows(client, of: batch).allSatisfy { $0.failure == .cancelled })
    }
  }

  @Test func `a dead letter that can never be done has its row again when it is requeued`() async throws {
    let drafts = [nil, "ftp://a.test/", "http://a.test/"].map { JobDraft(kind: .title, input: $0) }
    try await TestPipeline(.framed).withFleet(over: pages) { [self] fleet async throws -> Void in
      let (batch, client) = (fleet.newBatch(), try await fleet.client())
      _ = try await fleet.submit(drafts, as: batch)
      _ = try await rows(client, of: batch)
      #expect(try await client.ask(RequeueOrder(JobChoice(batch))) == 2)
      let read = try await rows(client, of: batch, ordered: true)
      #expect(read.map(\.failure) == [.missingInput, .unsupportedScheme, nil])
    }
  }

  @Test func `a cancelled batch is over, each job with its row`() async throws {
    let network = ScriptedFetching { _ in
      try? await Task.sleep(for: .seconds(60))
      return .failure(Failure(.timeout, at: .body, "too late"))
    }
    try await TestPipeline(.framed).withFleet(over: network) { [self] fleet async throws -> Void in
      let (batch, client) = (fleet.newBatch(), try await fleet.client())
      _ = try await fleet.submit(drafts, as: batch)
      #expect(try await client.ask(CancelOrder(JobChoice(batch), cause: "enough")) == 3)
      #expect(try await client.ask(CancelOrder(JobChoice(batch), cause: "enough")) == 0)
      let read = try await rows(client, of: batch)
      #expect(read.map(\.failure) == [.cancelled, .cancelled, .cancelled])
      #expect(try Row(read[0])["error.message"] == "cancelled: enough")
    }
  }

  @Test func `nothing of a batch larger than memory is started once it is cancelled`() async throws {
    let asked = Lock(0)
    let network = ScriptedFetching { _ in
      asked.withLock { $0 += 1 }
      try? await Task.sleep(for: .seconds(60))
      return .failure(Failure(.timeout, at: .body, "too late"))
    }
    var pipeline = TestPipeline(.framed)
    pipeline.settings.aggregator.mostInMemory = 16
    pipeline.settings.fetcher.concurrency = 8
    let drafts = (0..<4_000).map { JobDraft(kind: .title, input: "http://\($0).test/") }
    try await pipeline.withFleet(over: network) { [self] fleet async throws -> Void in
      let (batch, client) = (fleet.newBatch(), try await fleet.client())
      _ = try await fleet.submit(drafts, as: batch)
      while asked.withLock({ $0 }) < 8 { await Task.yield() }
      let ended = try await client.ask(CancelOrder(JobChoice(batch), cause: "enough"))
      #expect(ended == 4_000)
      #expect(try await rows(client, of: batch).allSatisfy { $0.failure == .cancelled })
      #expect(asked.withLock { $0 } == 8)
    }
  }

  @Test func `an echo tells when each role had it`() async throws {
    try await TestPipeline(.framed).withFleet(over: pages) { fleet async throws -> Void in
      let pings = Lock<[Ping]>([])
      try await fleet.client().ping(fleet.newBatch(), count: 3, name: "ping.invalid") { ping in
        pings.withLock { $0.append(ping) }
      }
      let all = pings.withLock { $0 }
      #expect(all.map(\.row.number) == [1, 2, 3])
      for ping in all {
        let row = try Row(ping.row)
        let moments = ["aggregator", "fetcher", "decoder"].compactMap {
          row["trace.\($0)"].flatMap { Int64($0) }
        }
        let way = [ping.sentAt] + moments + [ping.cameBackAt]
        #expect(way.count == 5 && way == way.sorted())
      }
    }
  }

  @Test func `a producer gives up a fleet that says nothing any more`() async throws {
    try await TestPipeline(.framed).withFleet(over: pages) { [drafts] fleet async throws -> Void in
      let nobody = try await fleet.bind("nobody")
      var settings = ProducerSettings(batch: fleet.newBatch())
      settings.timeoutMilliseconds = 50
      let producer = Producer(
        settings: settings, inbox: try await fleet.bind("lonely"), aggregator: nobody.address,
        ports: fleet.ports)
      await #expect(throws: FleetSilent(address: nobody.address, milliseconds: 50)) {
        try await producer.run(ListFeed(drafts), into: { _ in })
      }
    }
  }

  @Test func `nobody is heard of after a while`() async throws {
    try await TestPipeline(.framed).withFleet(over: pages) { fleet async throws -> Void in
      let nobody = try await fleet.bind("nobody")
      let client = FleetClient(
        inbox: try await fleet.bind("lonely"), aggregator: nobody.address, ports: fleet.ports,
        timeoutMilliseconds: 50)
      await #expect(throws: FleetSilent(address: nobody.address, milliseconds: 50)) {
        try await client.ask(StatusQuestion()).bytes
      }
    }
  }

  @Test func `a late answer to one wish does not answer the next one`() async throws {
    try await TestPipeline(.framed).withFleet(over: pages) { fleet async throws -> Void in
      let batch = fleet.newBatch()
      let inbox = try await fleet.bind("forgetful")
      let client = FleetClient(
        inbox: try await fleet.bind("impatient"), aggregator: inbox.address, ports: fleet.ports,
        timeoutMilliseconds: 60_000)
      // Says of every wish what the one before it did, too.
      async let forgetful: Void = Self.answer(from: inbox, in: fleet, orders: 2)
      #expect(try await client.ask(RequeueOrder(JobChoice(batch))) == 1)
      #expect(try await client.ask(RequeueOrder(JobChoice(batch))) == 2)
      try await forgetful
    }
  }

  private static func answer(from inbox: any Inbox, in fleet: TestFleet, orders: Int) async throws {
    var done: [Tell] = []
    while done.count < orders {
      for message in try await inbox.receive(atMost: 8, until: nil).envelopes.map(\.message) {
        guard case .ask(let ask) = message else { continue }
        let now = fleet.ports.clock.now
        if ask.deadline != nil { done.append(Tell(to: ask, at: now, UInt64(done.count + 1))) }
        let outlet = try await fleet.ports.transport.connect(to: ask.replyTo)
        let tells = ask.deadline == nil ? [Tell(to: ask, at: now)] : done
        try await outlet.send(tells.map { Envelope.said(.tell($0)) })
      }
    }
  }
}
