import PipelineTesting
import SQLite
import Testing

@Suite struct BackupTests {
  @Test func `a copy is made in steps, and has what was changed between them`() throws {
    let directory = try TemporaryDirectory()
    let source = try Connection(path: directory.file("a.db"))
    try source.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; CREATE TABLE t (a, b)")
    let insert = try source.prepare("INSERT INTO t VALUES (?1, zeroblob(1000))")
    for number in 0..<400 { try insert.run(.integer(Int64(number))) }
    do {
      let backup = try Backup(of: source, to: directory.file("b.db"))
      var steps = 0
      while try !backup.step(pages: 10) {
        try source.execute("UPDATE t SET a = a + 1; INSERT INTO t VALUES (-1, '')")
        steps += 1
      }
      #expect(steps > 5)
      #expect(backup.pages.left == 0)
    }
    let sums = "SELECT sum(a) * 1000 + count(*) FROM t"
    let copy = try Connection(path: directory.file("b.db"))
    #expect(try copy.integer(sums) == source.integer(sums))
    #expect(
      try copy.integer("SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'") == 0)
  }

  @Test func `a place that cannot be written is an error`() throws {
    let directory = try TemporaryDirectory()
    let source = try Connection(path: directory.file("a.db"))
    #expect(throws: SQLiteError.self) { try Backup(of: source, to: directory.file("none/b.db")) }
  }
}
