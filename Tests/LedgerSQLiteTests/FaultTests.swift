import Glibc
import Pipeline
import PipelineTesting
import Posix
import SQLite
import Testing

@testable import LedgerSQLite

/// What is left after the worst moment.
@Suite(.timeLimit(.minutes(1)))
struct FaultTests {
  /// Every commit submits one job of a batch and ends the one before.
  private static func events(_ step: UInt64, _ file: LedgerFileBench) -> [LedgerEvent] {
    let job = file.jobs(1, from: step)
    guard step > 0 else { return [.submit(job)] }
    return [.submit(job), .settle(file.end(of: file.jobs(1, from: step - 1)[0], row: "\(step)"))]
  }

  /// - Returns: How many commits are there; fails unless they are whole.
  private static func commits(in ledger: SQLiteLedger, _ file: LedgerFileBench) async throws -> Int {
    let open = try await ledger.openJobs(.all, after: nil, limit: 10).map(\.job)
    let rows = try await ledger.rows(of: file.batch, after: 0, limit: .max)
    guard let last = open.first else {
      #expect(rows.isEmpty)
      return 0
    }
    #expect(open == file.jobs(1, from: last.ordinal))
    #expect(rows.map(\.number) == Array(1..<last.ordinal + 1))
    #expect(rows.map { String(decoding: $0.json, as: UTF8.self) } == rows.map { "\($0.number)" })
    #expect(try await ledger.progress(of: file.batch)?.rows == last.ordinal)
    return Int(last.ordinal) + 1
  }

  @Test func `a process killed in the middle of commits leaves whole ones, and all that were told`()
    async throws
  {
    let file = try LedgerFileBench()
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = file.path as String] in
      let file = try LedgerFileBench()
      let ledger = try await SQLiteLedger.open(path: path)
      for step in 0..<300 as Range<UInt64> {
        _ = try await ledger.commit(Self.events(step, file), at: file.now)
      }
      async let next = ledger.commit(Self.events(300, file), at: file.now)
      raiseSignal(SIGKILL)
      _ = try await next
    }
    let ledger = try await file.open()
    let found = try await Self.commits(in: ledger, file)
    #expect(found == 300 || found == 301)
    _ = try await ledger.commit(Self.events(UInt64(found), file), at: file.now)
    #expect(try await Self.commits(in: ledger, file) == found + 1)
  }

  @Test func `a log torn anywhere holds whole commits, in order`() async throws {
    let file = try LedgerFileBench()
    let ledger = try await file.open()
    for step in 0..<40 as Range<UInt64> { _ = try await ledger.commit(Self.events(step, file), at: file.now) }
    let main = try read(file.path)
    let log = try read(file.path + "-wal")
    var found: [Int] = []
    for cut in stride(from: 0, through: log.count, by: log.count / 37) + [log.count] {
      let copy = try LedgerFileBench()
      try write(main, to: copy.path)
      try write(Array(log[..<cut]), to: copy.path + "-wal")
      found.append(try await Self.commits(in: try await copy.open(), copy))
    }
    #expect(found.first == 0)
    #expect(found.last == 40)
    #expect(found == found.sorted())
    #expect(Set(found).count > 20)
  }

  @Test func `a full disk refuses the whole commit, and the next one works again`() async throws {
    let file = try LedgerFileBench()
    let ledger = try await file.open()
    _ = try await ledger.commit([.submit(file.jobs(10))], at: file.now)
    try await ledger.limit(toPages: 40)
    let large: [LedgerEvent] = [
      .settle(file.end(of: file.jobs(1)[0], row: "small")), .close(file.batch, total: 7),
      .settle(file.end(of: file.jobs(2)[1], row: String(repeating: "x", count: 1 << 20))),
    ]
    for _ in 0..<3 {
      let error = await #expect(throws: LedgerError.self) { try await ledger.commit(large, at: file.now) }
      #expect(error?.kind == .full)
      #expect(error?.message == "write ledger \(file.path): there is no room left on its disk; make some")
    }
    #expect(try await ledger.progress(of: file.batch) == BatchProgress(total: nil, rows: 0, settled: 0))
    #expect(try await ledger.openJobs(.all, after: nil, limit: 99).count == 10)
    #expect(try await ledger.commit([large[0]], at: file.now) == [.applied])

    try await ledger.limit(toPages: 1_000_000)
    #expect(try await ledger.commit(large, at: file.now) == [.stale, .applied, .applied])
    #expect(try await ledger.rows(of: file.batch, after: 0, limit: 9).map(\.json.count) == [5, 1 << 20])
  }
}

extension SQLiteLedger {
  /// Stands in for the size of a disk.
  fileprivate func limit(toPages pages: Int) async throws {
    try await use("limit") { (store) throws(SQLiteError) in
      try store.connection.execute("PRAGMA max_page_count = \(pages)")
    }
  }
}
