import LedgerMemory
import Pipeline
import PipelineTesting
import Testing

@testable import Roles

/// Rows that are large wait in the ledger, not in the aggregator's memory.
@Suite(.timeLimit(.minutes(10)))
struct LargeRowsTests {
  private static let count: UInt64 = 20
  private static let bytes = 1 << 20
  private let batch = BatchID(UUIDv7(high: 1, low: 1))

  /// A ledger with a complete batch of large rows.
  private func ledger() async throws -> MemoryLedger {
    let ledger = MemoryLedger()
    let jobs = (0..<Self.count).map { Job(batch: batch, ordinal: $0, kind: .decode, input: "http://a.test/") }
    let row = [UInt8](repeating: 0x31, count: Self.bytes)
    let ends = jobs.map { job in
      LedgerEvent.settle(Settlement(of: job, lease: nil, end: .done, failure: nil, row: row))
    }
    _ = try await ledger.commit(
      [.submit(jobs), .close(batch, total: Self.count)] + ends, at: Moment(unixMilliseconds: 1))
    return ledger
  }

  @Test func `a reader has no more under way than its share, and asks its way to the end`() async throws {
    let fetching = ScriptedFetching { _ in .success(FetchResponse(status: 200)) }
    let pipeline = TestPipeline(.framed, ledger: try await ledger())
    try await pipeline.withFleet(over: fetching) { [batch] fleet async throws -> Void in
      var reader = try await Reader(of: batch, in: fleet)
      while !reader.isComplete {
        let before = reader.numbers.count
        try await reader.readWhatComesUnasked()
        #expect((reader.numbers.count - before) * Self.bytes <= Followers.mostBytesUnderWay)
      }
      #expect(reader.numbers == Array(1...Self.count))
    }
  }
}

/// Asks once, and counts what comes of it.
private struct Reader {
  let batch: BatchID
  let inbox: any Inbox
  let outlet: any Outlet
  var numbers: [UInt64] = []
  var isComplete = false

  init(of batch: BatchID, in fleet: TestFleet) async throws {
    self.batch = batch
    inbox = try await fleet.bind("reader")
    outlet = try await fleet.ports.transport.connect(to: fleet.aggregator)
  }

  mutating func readWhatComesUnasked() async throws {
    try await ask(.copies(of: batch, after: numbers.last ?? 0, limit: 1_000))
    let before = numbers.count
    while numbers.count == before { _ = try await take() }
    // The answer stands behind all that was sent with the first rows.
    let question = ProgressQuestion(of: batch)
    let ask = Ask(question, replyTo: inbox.address, id: UUIDv7(high: 5, low: 1))
    try await outlet.send([Envelope.said(.ask(ask))])
    while try await !take() {}
  }

  private func ask(_ question: Query.Question) async throws {
    try await outlet.send([Envelope.said(.query(Query(replyTo: inbox.address, question)))])
  }

  /// - Returns: Whether the progress was told.
  private mutating func take() async throws -> Bool {
    var isTold = false
    for envelope in try await inbox.receive(atMost: 100, until: nil).envelopes {
      switch envelope.message {
      case .answer(.rows(of: batch, _, let rows)): numbers += rows.map(\.number)
      case .answer(.complete): isComplete = true
      case .tell: isTold = true
      default: Issue.record("\(envelope.message)")
      }
    }
    return isTold
  }
}
