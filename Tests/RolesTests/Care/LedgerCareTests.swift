import JSONQuery
import LedgerMemory
import LedgerSQLite
import Pipeline
import PipelineTesting
import Posix
import Testing

@testable import Roles

/// Care of a fleet's ledger while the fleet works, over each transport.
@Suite(.timeLimit(.minutes(10)))
struct LedgerCareTests {
  private static let count = 600
  private let echoes = [JobDraft](repeating: JobDraft(kind: .echo, input: nil), count: count)

  /// Runs `body` with a fleet whose ledger is a file, and a batch that is over.
  private func withFleet(
    _ transport: TransportUnderTest,
    _ body: @Sendable @escaping (TestFleet, FleetClient, SQLiteLedger, BatchID) async throws -> Void
  ) async throws {
    let directory = try TemporaryDirectory()
    let ledger = try await SQLiteLedger.open(path: directory.file("jobs.db"))
    let fleet = TestPipeline(transport, ledger: ledger)
    try await fleet.withFleet(over: ScriptedFetching([:])) { [echoes] fleet async throws -> Void in
      let (client, batch) = (try await fleet.client(), fleet.newBatch())
      _ = try await fleet.submit(echoes, as: batch)
      #expect(try await client.copy(RowCopies(of: batch, follows: true)) { _ in } == UInt64(Self.count))
      try await body(fleet, client, ledger, batch)
    }
    await ledger.close()
    #expect(fileNames(in: directory.path).sorted() == ["jobs.db"])
  }

  private static func report(_ json: [UInt8]) throws -> JSONValue { try JSONDocument(parsing: json).root }

  @Test(arguments: [TransportUnderTest.framed, .zeroMQ])
  func `jobs are counted, forgotten and their room given back in steps`(
    transport: TransportUnderTest
  ) async throws {
    try await withFleet(transport) { _, client, ledger, batch in
      var choice = ForgettingChoice(batch: batch, unconfirmedToo: true, onlyCounts: true)
      func forget() async throws -> JSONValue {
        try Self.report(try await client.care(.forget(choice, olderThanMilliseconds: 0)))
      }
      let before = try Self.report(try await client.care(.size))
      #expect(before["prunable"]?["jobs"]?.int64 == Int64(Self.count))
      #expect(try await forget()["jobs"]?.int64 == Int64(Self.count))
      #expect(try await ledger.progress(of: batch)?.settled == UInt64(Self.count))
      choice.onlyCounts = false
      choice.unconfirmedToo = false
      #expect(try await forget()["jobs"]?.int64 == 0, "nobody has confirmed its rows")
      choice.unconfirmedToo = true
      let report = try await forget()
      #expect(report["state"]?.string == "done" && report["verb"]?.string == "prune")
      #expect(report["jobs"]?.int64 == Int64(Self.count))
      #expect(try await client.progress(of: batch) == nil)
      let shrunk = try Self.report(try await client.care(.shrink))
      #expect(shrunk["state"]?.string == "done")
      #expect(shrunk["bytes"]?.int64 ?? 0 > 0 && shrunk["total"]?.int64 == 0)
      let after = try Self.report(try await client.care(.size))
      #expect(after["bytes"]?.int64 ?? .max < before["bytes"]?.int64 ?? 0)
      #expect(after["jobs"]?["done"]?.int64 == 0)
    }
  }

  @Test(arguments: [TransportUnderTest.framed, .zeroMQ])
  func `a copy is made beside the ledger while jobs come in`(transport: TransportUnderTest) async throws {
    try await withFleet(transport) { [echoes] fleet, client, _, batch in
      let other = fleet.newBatch()
      async let submitted = fleet.submit(echoes, as: other, name: "second producer")
      let report = try Self.report(try await client.care(.copy))
      #expect(report["state"]?.string == "done")
      let path = try #require(report["path"]?.string)
      #expect(try await submitted == UInt64(Self.count))
      let copy = try await SQLiteLedger.open(path: path)
      #expect(try await copy.check() == [])
      #expect(try await copy.progress(of: batch)?.settled == UInt64(Self.count))
      await copy.close()
      #expect(removeFile(path: path))
    }
  }

  @Test func `rows of all batches are exported page after page`() async throws {
    try await withFleet(.framed) { [echoes] fleet, client, _, batch in
      let other = fleet.newBatch()
      _ = try await fleet.submit(echoes, as: other, name: "second producer")
      _ = try await client.copy(RowCopies(of: other, follows: true)) { _ in }
      var (ids, place): (Set<String>, RowPlace?) = ([], .first)
      while let after = place {
        let page = try await client.storedRows(of: nil, after: after)
        for row in page.items { ids.insert(try #require(Self.report(row.json)["id"]?.string)) }
        place = page.next
      }
      #expect(ids.count == 2 * Self.count)
      let first = try await client.storedRows(of: batch, after: .first)
      #expect(first.items.first.map { try? Self.report($0.json)["batch"]?.string } == batch.description)
    }
  }

  @Test func `the status tells what the ledger takes, and how long it keeps batches`() throws {
    var report = FleetStatus(of: WorkerProgram(version: ""), uptimeMilliseconds: 0)
    let oldest = Moment(unixMilliseconds: 1_700_000_000_000)
    report.ledger = FleetStatus.Ledger(
      keepsMs: 86_400_000, room: LedgerRoom(LedgerSize(parts: [.data: 300, .free: 20], oldest: oldest)),
      work: LedgerReport(of: .shrink))
    let ledger = try #require(try JSONDocument(parsing: report.json).root["ledger"])
    #expect(ledger["bytes"]?.int64 == 320 && ledger["parts"]?["free"]?.int64 == 20)
    #expect(ledger["keeps_ms"]?.int64 == 86_400_000)
    #expect(ledger["oldest"]?.int64 == oldest.unixMilliseconds)
    #expect(ledger["work"]?["verb"]?.string == "compact")
  }

  @Test func `a ledger in memory cannot be copied, and says so`() async throws {
    try await TestPipeline(.framed).withFleet(over: ScriptedFetching([:])) { fleet async throws -> Void in
      let report = try Self.report(try await fleet.client().care(.copy))
      #expect(report["state"]?.string == "failed")
      #expect(report["cause"]?.string == "copy ledger: it is in memory only; there is no file to copy")
    }
  }
}
