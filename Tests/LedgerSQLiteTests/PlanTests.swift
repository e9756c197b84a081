import Pipeline
import SQLite
import Testing

@testable import LedgerSQLite

/// How SQLite goes about what it is told: with millions of jobs, a table that is read from end to end is a fault.
@Suite(.timeLimit(.minutes(10)))
struct PlanTests {
  @Test func `no statement reads all jobs, rows or causes`() throws {
    let file = try LedgerFileFixture()
    let store = try LedgerFile.open(path: file.path, access: .readWrite)
    let groups: [Any] = [
      SQL.jobs, SQL.results, SQL.batches, SQL.selections, SQL.searches, SQL.upkeep, SQL.owner,
    ]
    let texts = groups.flatMap { Self.texts(in: Mirror(reflecting: $0)) }
    #expect(texts.count > 70)
    for text in texts {
      let statement = try store.statements[text]
      for step in try plan(of: statement, store.connection) where step.contains("SCAN") {
        let isCheap =
          step.hasPrefix("SCAN batch") || step.hasPrefix("SCAN worker")
          || ["SCAN owner", "SCAN pause", "SCAN gap", "SCAN wait"].contains(step)
        #expect(isCheap || step.contains("INDEX job_dead"), "\(statement.sql)\n\(step)")
      }
    }
  }

  @Test func `every selection goes by its index`() throws {
    let file = try LedgerFileFixture()
    let store = try LedgerFile.open(path: file.path, access: .readWrite)
    let selections = SQL.selections
    let expected: [(SQL, String)] = [
      (selections.open, "job_open (state=? AND id>? AND id<?)"),
      (selections.inState, "job_open (state=? AND id>?)"),
      (selections.ready, "job_ready (state=? AND batch=? AND block>?)"),
      (selections.readyBlock, "job_ready (state=? AND batch=? AND block>?)"),
      (selections.readyInBlock, "job_ready (state=? AND batch=? AND block=? AND host>?)"),
      (selections.readyAtHost, "job_ready (state=? AND batch=? AND block=? AND host=? AND id>?)"),
      (selections.readyBatch, "job_ready (state=? AND batch>?)"),
      (selections.due, "job_due (run_at<?)"), (selections.overdue, "job_deadline (deadline<?)"),
      (selections.counts, "job_open (state<?)"), (selections.counts, "job_ready (state=?)"),
    ]
    let searches = SQL.searches
    let searched: [(SQL, String)] = [
      (searches.inState, "job_open (state=? AND id>? AND id<?)"), (searches.dead, "job_dead (id>? AND id<?)"),
      (searches.byID, "(id>? AND id<?)"),
      (searches.readyBlock, "job_ready (state=? AND batch=? AND block<?)"),
      (searches.readyInBlock, "job_ready (state=? AND batch=? AND block=?)"),
      (searches.linkBlock, "job_link (batch=? AND block<?)"),
      (searches.linksInBlock, "job_link (batch=? AND block=? AND link>? AND link<?)"),
    ]
    for (text, index) in expected + searched {
      let steps = try plan(of: store.statements[text], store.connection)
      #expect(steps.contains { $0.hasPrefix("SEARCH job USING") && $0.hasSuffix(index) }, "\(steps)")
    }
    for text in [
      selections.open, selections.inState, searches.dead, selections.readyBlock, selections.readyInBlock,
      selections.readyAtHost, selections.readyBatch,
    ] {
      #expect(
        try plan(of: store.statements[text], store.connection).allSatisfy { !$0.contains("TEMP B-TREE") })
    }
  }

  private func plan(of statement: Statement, _ connection: borrowing Connection) throws -> [String] {
    try connection.prepare("EXPLAIN QUERY PLAN \(statement.sql)").all { $0.text(at: 3) ?? "" }
  }

  private static func texts(in mirror: Mirror) -> [SQL] {
    mirror.children.flatMap { child in
      (child.value as? SQL).map { [$0] } ?? texts(in: Mirror(reflecting: child.value))
    }
  }
}
