import Glibc
import Pipeline
import PipelineTesting
import Posix
import SQLite
import Testing

@testable import LedgerSQLite

/// What is left after the worst moment.
@Suite(.timeLimit(.minutes(10)))
struct FaultTests {
  /// Every commit submits one job of a batch and ends the one before.
  private static func events(_ step: UInt64, _ file: LedgerFileFixture) -> [LedgerEvent] {
    let job = file.jobs(1, from: step)
    guard step > 0 else { return [.submit(job)] }
    return [.submit(job), .settle(file.end(of: file.jobs(1, from: step - 1)[0], row: "\(step)"))]
  }

  /// - Returns: How many commits are there; fails unless they are whole.
  private static func commits(in ledger: SQLiteLedger, _ file: LedgerFileFixture) async throws -> Int {
    let open = try await ledger.openJobs().map(\.job)
    let rows = try await ledger.rows(of: file.batch, after: 0, limit: .max, bytes: .max)
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
    let file = try LedgerFileFixture()
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = file.path as String] in
      let file = try LedgerFileFixture()
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
    let file = try LedgerFileFixture()
    let ledger = try await file.open()
    for step in 0..<40 as Range<UInt64> { _ = try await ledger.commit(Self.events(step, file), at: file.now) }
    let main = try read(file.path)
    let log = try read(file.path + "-wal")
    var found: [Int] = []
    for cut in stride(from: 0, through: log.count, by: log.count / 37) + [log.count] {
      let copy = try LedgerFileFixture()
      try write(main, to: copy.path)
      try write(Array(log[..<cut]), to: copy.path + "-wal")
      found.append(try await Self.commits(in: try await copy.open(), copy))
    }
    #expect(found.first == 0)
    #expect(found.last == 40)
    #expect(found == found.sorted())
    #expect(Set(found).count > 20)
  }
}
