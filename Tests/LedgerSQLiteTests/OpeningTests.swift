import Glibc
import Pipeline
import PipelineTesting
import Posix
import SQLite
import Testing

@testable import LedgerSQLite

@Suite(.timeLimit(.minutes(10)))
struct OpeningTests {
  private let file: LedgerFileFixture

  init() throws {
    file = try LedgerFileFixture()
  }

  private func refusal(of path: String? = nil, access: Connection.Access = .readWrite) async throws
    -> LedgerError
  {
    let error = await #expect(throws: LedgerError.self) {
      try await SQLiteLedger.open(path: path ?? file.path, access: access)
    }
    return try #require(error)
  }

  @Test func `a second open is refused while the first lives`() async throws {
    let first = try await file.open()
    let error = try await refusal()
    #expect(error.kind == .locked)
    #expect(
      error.message
        == "open ledger \(file.path): another aggregator or command is using it; wait until that has ended, or name another file"
    )
    #expect(try await first.commit([.submit(file.jobs(1))], at: file.now) == [.inserted(1)])
    await first.close()
    #expect(try await file.open().openJobs().count == 1)
  }

  @Test func `files beside it are made before anybody else can, and none stays behind`() async throws {
    _ = try await file.open().close()
    _ = try LedgerFile.prepare(file.path, for: .ledger, making: ["-wal", "-journal"])
    #expect(try read("\(file.path)-wal").isEmpty)
    #expect(try read("\(file.path)-journal").isEmpty)
    let ledger = try await file.open()
    #expect(throws: PosixError.self) { try read("\(file.path)-journal") }
    _ = try await refusal()
    await ledger.close()
    for suffix in ["-wal", "-shm", "-journal"] {
      #expect(throws: PosixError.self) { try read(file.path + suffix) }
    }
  }

  @Test func `another process is refused too`() async throws {
    let first = try await file.open()
    await #expect(processExitsWith: .exitCode(7)) { [path = file.path as String] in
      do throws(LedgerError) {
        _ = try await SQLiteLedger.open(path: path)
      } catch {
        exit(error.kind == .locked ? 7 : 8)
      }
    }
    await first.close()
  }

  @Test func `a ledger that is dropped lets its file go`() async throws {
    _ = try await file.open().commit([.submit(file.jobs(1))], at: file.now)
    // The thread that worked for it may be the last to let go.
    var again: SQLiteLedger?
    while again == nil {
      do {
        again = try await file.open()
      } catch let error as LedgerError where error.kind == .locked {}
    }
    #expect(try await again?.openJobs().count == 1)
  }

  @Test func `a newer schema is refused, and nothing is changed`() async throws {
    await (try await file.open()).close()
    try Connection(path: file.path).execute("PRAGMA user_version = 99")
    let error = try await refusal()
    #expect(error.kind == .newerSchema)
    #expect(
      error.message.hasSuffix(
        "a newer halyard wrote it (schema 99, and this one knows \(Schema.version)); use that one, or name another file"
      ))
    #expect(try Connection(path: file.path).integer("PRAGMA user_version") == 99)
  }

  @Test func `the log of another ledger is refused, and nothing is changed`() async throws {
    func use(_ count: UInt64, from first: UInt64) async throws -> SQLiteLedger {
      let ledger = try await file.open()
      _ = try await ledger.takeOver(as: UUIDv7(high: 1, low: 2), at: file.now, longestPause: 1_000)
      _ = try await ledger.commit([.submit(file.jobs(count, from: first))], at: file.now)
      return ledger
    }
    await (try await use(2, from: 0)).close()
    let before = try read(file.path)
    let ledger = try await use(3, from: 2)
    let (pages, log) = (try read(file.path), try read("\(file.path)-wal"))
    await ledger.close()
    // As after a crash: all is there.
    try write(pages, to: file.path)
    try write(log, to: "\(file.path)-wal")
    let recovered = try await file.open()
    #expect(try await recovered.openJobs().count == 5)
    await recovered.close()
    // A backup in its place.
    try write(before, to: file.path)
    try Connection(path: file.path).execute("UPDATE owner SET lease_key = randomblob(16)")
    let backup = try read(file.path)
    try write(log, to: "\(file.path)-wal")
    let error = try await refusal()
    #expect(error.kind == .corrupt && error.message.contains("-wal, is another ledger's; if"))
    #expect(try read(file.path) == backup && read("\(file.path)-wal") == log)
    #expect(removeFile(path: "\(file.path)-wal"))
    let restored = try await file.open()
    #expect(try await restored.openJobs().count == 2)
    await restored.close()
  }

  @Test func `a log in which no lease was granted tells whose it is, too`() async throws {
    let first = try await file.open()
    let term = try await first.takeOver(as: UUIDv7(high: 1, low: 2), at: file.now, longestPause: 1_000).term
    await first.close()
    let backup = try read(file.path)
    // A log of its own, as after a checkpoint.
    let ledger = try await file.open()
    try await ledger.renew(term, at: file.now.advanced(byMilliseconds: 2_000))
    _ = try await ledger.commit([.submit(file.jobs(1))], at: file.now)
    let log = try read("\(file.path)-wal")
    await ledger.close()
    try write(backup, to: file.path)
    try Connection(path: file.path).execute("UPDATE owner SET lease_key = randomblob(16)")
    try write(log, to: "\(file.path)-wal")
    #expect(try await refusal().message.contains("-wal, is another ledger's; if"))
  }

  @Test func `another program's database is refused, and nothing is changed`() async throws {
    try Connection(path: file.path).execute("CREATE TABLE notes (text)")
    #expect(
      try await refusal().message
        == "open ledger \(file.path): this is another program's database; name another file")
    #expect(try Connection(path: file.path).integer("SELECT count(*) FROM sqlite_schema") == 1)
  }

  @Test func `a file that is no database is refused, and nothing is changed`() async throws {
    let text = Array(String(repeating: "https://example.org/\n", count: 100).utf8)
    try write(text, to: file.path)
    let error = try await refusal()
    #expect(
      error.message
        == "open ledger \(file.path): this is not a ledger: file is not a database; name another file")
    #expect(try read(file.path) == text)
  }

  @Test func `a file that cannot be written is refused`() async throws {
    await (try await file.open()).close()
    let error = try await refusal(access: .readOnly)
    #expect(error.kind == .readOnly)
    #expect(
      error.message
        == "open ledger \(file.path): it cannot be written; check the permissions of the file and its directory"
    )
  }

  @Test func `a directory that is not there is named`() async throws {
    let error = try await refusal(of: file.directory.file("none/jobs.ledger"))
    #expect(error.kind == .other)
    #expect(error.message.contains("No such file or directory"))
    #expect(error.message.hasSuffix("check that its directory exists and may be written"))
  }

  @Test func `a damaged file is told as such`() async throws {
    let ledger = try await file.open()
    _ = try await ledger.commit([.submit(file.jobs(2_000))], at: file.now)
    await ledger.close()
    var bytes = try read(file.path)
    for index in bytes.indices.dropFirst(4_096) { bytes[index] = 0xAB }
    try write(bytes, to: file.path)
    let error = await #expect(throws: LedgerError.self) {
      try await file.open().openJobs()
    }
    #expect(error?.kind == .corrupt)
  }

  @Test func `names that mean something to SQLite are files`() async throws {
    let place = file.directory.file(":memory:")
    let ledger = try await SQLiteLedger.open(path: place)
    _ = try await ledger.commit([.submit(file.jobs(1))], at: file.now)
    await ledger.close()
    #expect(try await SQLiteLedger.open(path: place).openJobs().count == 1)
    #expect(try await refusal(of: "").message.hasPrefix("open ledger : unable to open database file"))
  }
}
