import Glibc
import Pipeline
import PipelineTesting
import Posix
import SQLite
import Testing

@testable import LedgerSQLite

/// What cannot be written is not acknowledged, and the same ledger goes on when it can be written again.
@Suite(.timeLimit(.minutes(10)))
struct DiskFaultTests {
  @Test func `a full disk refuses the whole commit, and the next one works again`() async throws {
    let file = try LedgerFileFixture()
    let ledger = try await file.open()
    _ = try await ledger.commit([.submit(file.jobs(10))], at: file.now)
    try await ledger.execute("PRAGMA max_page_count = 40")
    let before = try await ledger.summary(batches: 9)
    let large: [LedgerEvent] = [
      .settle(file.end(of: file.jobs(1)[0], row: "small")), .close(file.batch, total: 17),
      .settle(file.end(of: file.jobs(2)[1], row: String(repeating: "x", count: 1 << 20))),
    ]
    for _ in 0..<3 {
      let error = await #expect(throws: LedgerError.self) { try await ledger.commit(large, at: file.now) }
      #expect(error?.kind == .full)
      let message = try #require(error?.message)
      #expect(message.hasPrefix("write ledger \(file.path): there is no room left on its disk ("))
      let needed = LedgerReserve.needed(total: totalBytes(at: file.path)) >> 20
      #expect(message.hasSuffix(" KiB are free); make \(needed) MiB or more"))
    }
    #expect(try await ledger.summary(batches: 9) == before)
    #expect(try await ledger.openJobs().count == 10)
    #expect(try await ledger.commit([large[0]], at: file.now) == [.applied])

    try await ledger.execute("PRAGMA max_page_count = 1000000")
    #expect(try await ledger.commit(large, at: file.now) == [.stale, .applied, .applied])
    #expect(
      try await ledger.rows(of: file.batch, after: 0, limit: 9, bytes: .max).map(\.json.count) == [
        5, 1 << 20,
      ])
  }

  @Test func `a ledger that may not be written for a while refuses commits, and answers questions`()
    async throws
  {
    let file = try LedgerFileFixture()
    let ledger = try await file.open()
    _ = try await ledger.commit([.submit(file.jobs(3))], at: file.now)
    let before = try await ledger.summary(batches: 9)
    try await ledger.execute("PRAGMA query_only = ON")
    let events: [LedgerEvent] = [
      .submit(file.jobs(4)), .settle(file.end(of: file.jobs(1)[0])), .seen(file.worker),
    ]
    for _ in 0..<2 {
      let error = await #expect(throws: LedgerError.self) { try await ledger.commit(events, at: file.now) }
      #expect(error?.kind == .readOnly)
    }
    await #expect(throws: LedgerError.self) {
      try await ledger.commit([.close(file.batch, total: 3)], at: file.now)
    }
    #expect(try await ledger.summary(batches: 9) == before)
    #expect(try await ledger.page(JobQuery(.ready)).items.map(\.job) == file.jobs(3))
    #expect(try await ledger.owner() == LedgerOwner())
    try await ledger.execute("PRAGMA query_only = OFF")
    #expect(try await ledger.commit(events, at: file.now) == [.inserted(1), .applied, .applied])
    #expect(try await ledger.lastSeen() == [file.worker: file.now])
  }

  @Test func `forgetting that finds no room forgets nothing, and counts right`() async throws {
    let file = try LedgerFileFixture()
    let ledger = try await file.open()
    let ends = file.jobs(50).map { LedgerEvent.settle(file.end(of: $0, failure: .tls)) }
    _ = try await ledger.commit(
      [.submit(file.jobs(50))] + ends + [.close(file.batch, total: 50)], at: file.now)
    let before = try await ledger.summary(batches: 9)
    try await ledger.execute("PRAGMA query_only = ON")
    let after = file.now.advanced(byMilliseconds: 1)
    await #expect(throws: LedgerError.self) {
      try await ledger.forget(.old(unreadBefore: after), before: after, limit: 99)
    }
    #expect(try await ledger.summary(batches: 9) == before)
    try await ledger.execute("PRAGMA query_only = OFF")
    #expect(try await ledger.forget(.old(unreadBefore: after), before: after, limit: 99) == 50)
    #expect(try await ledger.summary(batches: 9) == LedgerSummary(jobs: JobCounts(), batches: []))
  }

  /// In a process of its own, because the limit counts for all of its files.
  @Test func `a write that the system refuses in the middle leaves whole commits, and the next ones work`()
    async throws
  {
    let file = try LedgerFileFixture()
    await #expect(processExitsWith: .success) { [path = file.path as String] in
      let file = try LedgerFileFixture()
      let ledger = try await SQLiteLedger.open(path: path)
      _ = try await ledger.commit([.submit(file.jobs(10))], at: file.now)
      let log = try read(path + "-wal").count
      let large = LedgerEvent.settle(
        file.end(of: file.jobs(1)[0], row: String(repeating: "x", count: 1 << 20)))
      limitFiles(toBytes: log + 100_000)
      for _ in 0..<3 {
        let error = await #expect(throws: LedgerError.self) { try await ledger.commit([large], at: file.now) }
        #expect(error?.mayPass == true)
        #expect(try await ledger.progress(of: file.batch)?.settled == 0)
        #expect(try await ledger.summary(batches: 0).jobs.ready == 10)
      }
      let small = LedgerEvent.settle(file.end(of: file.jobs(2)[1]))
      #expect(try await ledger.commit([small], at: file.now) == [.applied])
      limitFiles(toBytes: nil)
      #expect(try await ledger.commit([large], at: file.now) == [.applied])
    }
    let ledger = try await file.open()
    #expect(
      try await ledger.rows(of: file.batch, after: 0, limit: 9, bytes: .max).map(\.json.count) == [
        2, 1 << 20,
      ])
    #expect(try await ledger.summary(batches: 0).jobs.ready == 8)
  }
}

/// How large this process may make a file; nil is as large as it likes. A write beyond fails instead of killing it.
private func limitFiles(toBytes bytes: Int?) {
  signal(SIGXFSZ, SIG_IGN)
  var limit = rlimit(rlim_cur: bytes.map { rlim_t($0) } ?? .max, rlim_max: .max)
  let status = unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  #expect(status == 0)
}

extension SQLiteLedger {
  /// Stands in for what happens to a disk.
  fileprivate func execute(_ sql: String) async throws {
    try await use("limit") { store in try store.connection.execute(sql) }
  }
}
