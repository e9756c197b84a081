import JSONQuery
import Pipeline
import PipelineTesting
import Posix
import Roles
import Testing

/// What a fleet tells of its batches, and which of their rows.
@Suite(.timeLimit(.minutes(10)))
struct BatchQuestionTests {
  private let pages = ScriptedFetching([
    "http://a.test/": .page("<title>A</title>"), "http://b.test/": .page("<title>B</title>"),
    "http://gone.test/": .page("<title>Gone</title>", status: 404),
  ])
  private let drafts = ["a", "gone", "b"].map { JobDraft(kind: .title, input: "http://\($0).test/") }

  @Test func `a batch gets other terms without its list, and batches are listed`() async throws {
    try await TestPipeline(.framed).withFleet(over: pages) { [self] fleet async throws -> Void in
      let (batch, client) = (fleet.newBatch(), try await fleet.client())
      var terms = BatchTerms()
      terms.weight = 100
      #expect(try await client.ask(ChangeOrder(batch, terms)) == false)
      _ = try await fleet.submit(drafts, as: batch)
      #expect(try await client.ask(ChangeOrder(batch, terms)))
      let page = try await client.ask(BatchSearch())
      let line = String(decoding: page.items.flatMap(\.bytes), as: UTF8.self)
      #expect(line.contains("\"id\":\"\(batch)\"") && line.contains(#""weight":100"#))
      #expect(page.next == nil)
      var search = BatchSearch()
      search.state = .cancelled
      #expect(try await client.ask(search).items.isEmpty)
    }
  }

  @Test(arguments: [false, true])
  func `a reader whose batch is deleted meanwhile says that rows are missing`(follows: Bool) async throws {
    try await TestPipeline(.framed).withFleet(over: pages) { [self] fleet async throws -> Void in
      let (batch, pruner) = (fleet.newBatch(), try await fleet.client("pruner"))
      _ = try await fleet.submit(drafts, as: batch)
      _ = try await pruner.copy(RowCopies(of: batch, follows: true)) { _ in }
      let isPruned = Lock(false)
      let reader = try await fleet.client("reader")
      await #expect(throws: RowsLost(of: batch, .deleted)) {
        try await reader.copy(RowCopies(of: batch, follows: follows)) { _ in
        } onProgress: { _ in
          guard !isPruned.withLock({ $0 }) else { return }
          isPruned.withLock { $0 = true }
          let choice = ForgettingChoice(batch: batch, unconfirmedToo: true)
          _ = try await pruner.care(.forget(choice, olderThanMilliseconds: 0))
        }
      }
      #expect(try await reader.copy(RowCopies(of: batch)) { _ in } == nil)
    }
  }

  @Test func `a reader that lives through a change of the ledger says that rows may be others`() async throws
  {
    try await TestPipeline(.framed).withFleet(over: pages) { fleet async throws -> Void in
      let batch = fleet.newBatch()
      let inbox = try await fleet.bind("restored")
      let reader = FleetClient(
        inbox: try await fleet.bind("reader"), aggregator: inbox.address, ports: fleet.ports,
        timeoutMilliseconds: 60_000)
      async let fake: Void = Self.answer(from: inbox, in: fleet, of: batch)
      await #expect(throws: RowsLost(of: batch, .otherLedger)) {
        try await reader.copy(RowCopies(of: batch)) { _ in }
      }
      try await fake
    }
  }

  /// Has one row, and is another ledger each time.
  private static func answer(from inbox: any Inbox, in fleet: TestFleet, of batch: BatchID) async throws {
    var lineage: UInt64 = 0
    while lineage < 2 {
      for message in try await inbox.receive(atMost: 8, until: nil).envelopes.map(\.message) {
        let (replyTo, answer): (Address, Message)
        switch message {
        case .ask(let ask):
          lineage += 1
          var progress = BatchProgress(total: 1, rows: 1, settled: 1)
          progress.lineage = lineage
          (replyTo, answer) = (ask.replyTo, .tell(Tell(to: ask, at: fleet.ports.clock.now, progress)))
        case .query(let query):
          let row = NumberedRow(number: 1, ordinal: 0, failure: nil, json: Array("{}\n".utf8))
          (replyTo, answer) = (query.replyTo, .answer(.rows(of: batch, after: 0, [row])))
        default: continue
        }
        let outlet = try await fleet.ports.transport.connect(to: replyTo)
        try await outlet.send([Envelope.said(answer)])
      }
    }
  }

  @Test func `rows are read on after a place`() async throws {
    try await TestPipeline(.framed).withFleet(over: pages) { [self] fleet async throws -> Void in
      let batch = fleet.newBatch()
      _ = try await fleet.submit(drafts, as: batch)
      // Until all rows are there.
      _ = try await fleet.client().copy(RowCopies(of: batch, follows: true)) { _ in }
      for follows in [false, true] {
        for after in UInt64(0)...4 {
          // One that had asked before would be taken to have rows under way.
          let client = try await fleet.client("reader-\(follows)-\(after)")
          let numbers = Lock<[UInt64]>([])
          let copies = RowCopies(of: batch, follows: follows, after: after)
          _ = try await client.copy(copies) { rows in numbers.withLock { $0 += rows.map(\.number) } }
          #expect(numbers.withLock { $0 } == Array([1, 2, 3].dropFirst(Int(after))))
        }
      }
    }
  }
}
