import FoundationEssentials
import Pipeline
import PipelineTesting
import SQLite
import Testing

@testable import LedgerSQLite

@Suite(.timeLimit(.minutes(10)))
struct ResultCacheTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private var path: String { directory.file("results.db") }

  private func answer(_ question: String, at milliseconds: Int64 = 0, bytes: Int = 2) -> CachedAnswer {
    CachedAnswer(
      question: question, storedAt: Moment(unixMilliseconds: milliseconds), failure: nil, isOfFailure: false,
      validators: nil, json: Array(repeating: 0x20, count: bytes))
  }

  @Test(arguments: ResultCacheSuite.rules)
  func `the cache in a file of its own keeps the rules of the port`(
    rule: PortRule<any ResultCache>
  ) async throws {
    let cache = try await SQLiteResultCache.open(path: path, most: ResultCacheSuite.most)
    try await rule.prove(on: cache)
    await cache.close()
  }

  @Test(arguments: ResultCacheSuite.rules)
  func `the cache in a ledger keeps the rules of the port`(rule: PortRule<any ResultCache>) async throws {
    let ledger = try await SQLiteLedger.open(path: path, mostAnswers: ResultCacheSuite.most)
    try await rule.prove(on: ledger)
    await ledger.close()
  }

  @Test func `what was kept is there when the file is opened again, and nobody else can read it`()
    async throws
  {
    let cache = try await SQLiteResultCache.open(path: path)
    try cache.store([answer("a")])
    await cache.close()
    let again = try await SQLiteResultCache.open(path: path)
    #expect(try await again.find(["a"], bytes: .max) == [answer("a")])
    await again.close()
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode.map { $0 & 0o777 } == 0o600)
  }

  @Test func `two have the file at once, and each finds what the other kept`() async throws {
    let caches = [
      try await SQLiteResultCache.open(path: path), try await SQLiteResultCache.open(path: path),
    ]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (mine, cache) in caches.enumerated() {
        group.addTask {
          for number in 0..<100 {
            try cache.store([answer("\(mine) \(number)", bytes: 5_000)])
            // Fails while the other one takes long.
            _ = try? await cache.find(["\(1 - mine) \(number)"], bytes: .max)
          }
        }
      }
      try await group.waitForAll()
    }
    for cache in caches { #expect(await cache.close() == nil) }
    let both = try await SQLiteResultCache.open(path: path)
    for mine in 0...1 {
      let found = try await both.find((0..<100).map { "\(mine) \($0)" }, bytes: .max)
      #expect(found.count { $0 == nil } == 0)
    }
    await both.close()
  }

  @Test func `the oldest make room for new ones, also for the first of a later run`() throws {
    let connection = try Connection(path: path)
    try connection.execute(CacheSQL.table)
    let earlier = CacheStore(connection, most: 10_000)
    try earlier.write((0..<100).map { answer("\($0)", bytes: 1_000) })
    let later = CacheStore(connection, most: 10_000, mostBytes: 50_000)
    try later.write([answer("new", bytes: 1_000)])
    #expect(try connection.integer("SELECT sum(length(json)) FROM answer") == 50_000)
    #expect(
      try later.find(["0", "50", "51", "99", "new"], bytes: .max).map { $0 != nil } == [
        false, false, true, true, true,
      ])
  }

  @Test func `answers stand in the ledger once it has committed`() async throws {
    let file = try LedgerFileFixture()
    let ledger = try await file.open()
    try await ledger.store([answer("a")])
    #expect(try await ledger.commit([.submit(file.jobs(1))], at: file.now) == [.inserted(1)])
    await ledger.close()
    let connection = try Connection(path: file.path)
    #expect(try connection.integer("SELECT count(*) FROM answer") == 1)
  }

  @Test func `another program's database and a damaged one are refused`() async throws {
    func refusal() async throws -> String? {
      await #expect(throws: LedgerError.self) { try await SQLiteResultCache.open(path: path) }?.message
    }
    let ledger = try await SQLiteLedger.open(path: path)
    await ledger.close()
    #expect(
      try await refusal() == "open cache \(path): this is another program's database; name another file")
    _ = try await SQLiteLedger.open(path: path).close()
    try write(Array("no database, but long enough to look like one".utf8), to: path)
    #expect(try await refusal()?.hasPrefix("open cache \(path): this is not a cache: ") == true)
  }

  @Test func `a newer file is refused`() async throws {
    try await SQLiteResultCache.open(path: path).close()
    try Connection(path: path).execute("PRAGMA user_version = 99")
    let error = await #expect(throws: LedgerError.self) { try await SQLiteResultCache.open(path: path) }
    #expect(error?.kind == .newerSchema)
  }

  @Test func `what was not written is told by the next call, and later ones go on`() async throws {
    let cache = try await SQLiteResultCache.open(path: path)
    try Connection(path: path).execute("ALTER TABLE answer RENAME TO other")
    try cache.store([answer("a")])
    await #expect(throws: LedgerError.self) { try await cache.find(["a"], bytes: .max) }
    #expect(throws: LedgerError.self) { try cache.store([answer("b")]) }
    await #expect(throws: LedgerError.self) { try await cache.find(["b"], bytes: .max) }
    try Connection(path: path).execute("ALTER TABLE other RENAME TO answer")
    #expect(throws: LedgerError.self) { try cache.store([answer("c")]) }
    try cache.store([answer("d")])
    #expect(try await cache.find(["a", "b", "c", "d"], bytes: .max) == [nil, nil, answer("c"), answer("d")])
    await cache.close()
  }

  @Test func `a file that others have locked holds nobody up, and what is to be written waits for it`()
    async throws
  {
    let cache = try await SQLiteResultCache.open(path: path)
    let other = try Connection(path: path)
    try other.execute("BEGIN EXCLUSIVE")
    let start = ContinuousClock.now
    for number in 0..<10 {
      #expect(try await cache.find(["a", "b"], bytes: .max) == [nil, nil])
      try cache.store([answer("\(number)")])
    }
    // An attempt takes 100 ms, and there is none in the second after one: far less than a minute, on any machine.
    #expect(ContinuousClock.now - start < .seconds(20))
    try other.execute("COMMIT")
    #expect(await cache.close() == nil)
    let again = try await SQLiteResultCache.open(path: path)
    #expect(try await again.find((0..<10).map(String.init), bytes: .max).count { $0 != nil } == 10)
    await again.close()
  }

  @Test func `what is locked to the end, or too much to wait, is dropped, and told`() async throws {
    let cache = try await SQLiteResultCache.open(path: path)
    let other = try Connection(path: path)
    try other.execute("BEGIN EXCLUSIVE")
    try cache.store([answer("a", bytes: 9 << 20)])
    #expect(try await cache.find(["a"], bytes: .max) == [nil])
    try cache.store([answer("b", bytes: 9 << 20)])
    #expect(try await cache.find(["b"], bytes: .max) == [nil])
    #expect(throws: LedgerError.self) { try cache.store([answer("c")]) }
    let fault = await cache.close()
    #expect(fault?.kind == .locked)
    #expect(
      fault?.message == "write cache \(path): another program has it locked; end that, or name another file")
    try other.execute("COMMIT")
  }

  @Test func `a question with the hash of another has no answer`() async throws {
    let cache = try await SQLiteResultCache.open(path: path)
    try cache.store([answer("a"), answer("b")])
    #expect(try await cache.find(["a"], bytes: .max) == [answer("a")])
    try Connection(path: path).execute("UPDATE answer SET question = 'other' WHERE question = 'a'")
    #expect(try await cache.find(["a", "b"], bytes: .max) == [nil, answer("b")])
    await cache.close()
  }
}
