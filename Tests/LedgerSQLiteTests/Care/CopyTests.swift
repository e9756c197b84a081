import Pipeline
import PipelineTesting
import Posix
import SQLite
import Testing

@testable import LedgerSQLite

/// Copies of a ledger in use.
@Suite(.timeLimit(.minutes(10)))
struct CopyTests {
  private let file: LedgerFileFixture
  private let id = UUIDv7(high: 0x7000, low: 1 << 63 | 1)

  init() throws {
    file = try LedgerFileFixture()
  }

  private func copies() -> [String] {
    fileNames(in: file.directory.path).filter { $0.contains(".copy-") }.sorted()
  }

  private func finish(_ ledger: SQLiteLedger) async throws -> FileStep {
    var step = try await ledger.copy(id)
    while step.path == nil { step = try await ledger.copy(id) }
    return step
  }

  @Test func `a copy tells that it is another ledger, and stays that one`() async throws {
    let ledger = try await file.open()
    _ = try await ledger.commit([.submit(file.jobs(3))], at: file.now)
    let path = try #require(try await finish(ledger).path)
    let lineage = try await ledger.inheritance().leaseKey.lineage
    for _ in 0..<2 {
      let copy = try await SQLiteLedger.open(path: path)
      #expect(try await copy.inheritance().leaseKey.lineage != lineage)
      #expect(try await copy.check().isEmpty)
      await copy.close()
    }
    #expect(try await ledger.inheritance().leaseKey.lineage == lineage)
  }

  @Test func `a copy has what is committed while it is made, and can be opened and checked`() async throws {
    let ledger = try await file.open()
    let jobs = file.jobs(20_000)
    _ = try await ledger.commit([.submit(jobs)], at: file.now)
    var step = try await ledger.copy(id)
    #expect(step.path == nil && step.bytes < step.total)
    var (settled, copied) = (0, 0)
    while step.path == nil {
      if settled < jobs.count {
        let ends = jobs[settled..<settled + 500].map { LedgerEvent.settle(file.end(of: $0)) }
        _ = try await ledger.commit(ends, at: file.now)
        settled += 500
      }
      let wasWhole = step.bytes == step.total
      step = try await ledger.copy(id)
      if !wasWhole { copied = settled }
    }
    let path = try #require(step.path)
    #expect(step.bytes == step.total)
    #expect(try FileFacts(at: path)?.mode == 0o600)
    #expect(copies().count == 1)
    let copy = try await SQLiteLedger.open(path: path)
    #expect(try await copy.check() == [])
    #expect(copied > 0)
    #expect(try await copy.progress(of: file.batch)?.settled == UInt64(copied))
    #expect(try await copy.shrink(bytes: 1 << 30).total == 0, "it can be made smaller too")
    await copy.close()
  }

  @Test func `another copy drops the one before it, and so does its end`() async throws {
    let ledger = try await file.open()
    _ = try await ledger.commit([.submit(file.jobs(20_000))], at: file.now)
    _ = try await ledger.copy(id)
    let before = copies()
    _ = try await ledger.copy(UUIDv7(high: 0x7000, low: 1 << 63 | 2))
    #expect(copies().count == 1 && copies() != before)
    await ledger.endCopy()
    #expect(copies().isEmpty)
  }

  @Test func `a copy that a process left is removed when the ledger is opened`() async throws {
    let ledger = try await file.open()
    let path = try await finish(ledger).path
    try write([1], to: "\(file.path).copy-x.part")
    await ledger.close()
    #expect(copies().count == 2)
    await (try await file.open()).close()
    #expect(copies().isEmpty, "\(path ?? "")")
  }

  @Test func `a copy for which there is no room says where it is made, and what it takes`() {
    let error = LedgerCopy.noRoom(at: "/srv/fleet/jobs.db.copy-1", bytes: 12_000_000)
    #expect(
      error.message
        == "copy ledger: the disk of /srv/fleet/ is full; a copy is made there first, beside the ledger, and takes"
        + " 12 MiB; make so much room there, and try again")
    #expect(error.kind == .full)
  }

  @Test func `a copy that finds its name taken says so, and leaves nothing behind`() async throws {
    let ledger = try await file.open()
    // Its name is taken by what is no file.
    try makeDirectory(path: "\(file.path).copy-\(id).part")
    let error = await #expect(throws: LedgerError.self) { try await ledger.copy(id) }
    #expect(error?.message.hasPrefix("copy ledger \(file.path) to ") == true)
    #expect(try await ledger.commit([.submit(file.jobs(1))], at: file.now) == [.inserted(1)])
  }
}
