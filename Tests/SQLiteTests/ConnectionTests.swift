import PipelineTesting
import Testing

@testable import SQLite

@Suite struct ConnectionTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test func `every kind of value comes back as it was bound`() throws {
    let connection = try Connection(path: directory.file("a.db"))
    let values: [Value] = [
      .null, .integer(.min), .integer(.max), .real(0.1), .real(-1e300), .text(""), .text("Zürich 東京"),
      .blob([]), .blob([0, 255, 0]),
    ]
    let read = try connection.prepare("SELECT ?1")
    for value in values {
      let back = try read.first(value) { row -> Value in
        if let integer = row.integer(at: 0) { return .integer(integer) }
        if let real = row.real(at: 0) { return .real(real) }
        if let text = row.text(at: 0) { return .text(text) }
        return row.blob(at: 0).map { .blob($0) } ?? .null
      }
      #expect(back == value)
    }
  }

  @Test func `a statement tells how many rows it changed, and runs again`() throws {
    let connection = try Connection(path: directory.file("a.db"))
    try connection.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT) STRICT")
    let insert = try connection.prepare("INSERT INTO t VALUES (?1, ?2) ON CONFLICT DO NOTHING")
    #expect(try insert.run(.integer(1), .text("one")) == 1)
    #expect(try insert.run(.integer(2), .text("two")) == 1)
    #expect(try insert.run(.integer(2), .text("again")) == 0)
    #expect(try connection.prepare("UPDATE t SET b = ''").run() == 2)
    #expect(try connection.prepare("SELECT a FROM t ORDER BY a").all { $0.integer(at: 0) } == [1, 2])
    #expect(try connection.prepare("SELECT a FROM t WHERE a = 3").first { $0.integer(at: 0) } == nil)
    #expect(try connection.integer("SELECT count(*) FROM t") == 2)
  }

  @Test func `a column that is not there, or of another type, reads as nil`() throws {
    let connection = try Connection(path: directory.file("a.db"))
    let isNil = try connection.prepare("SELECT 'text'").first { row in
      row.integer(at: 0) == nil && row.blob(at: 0) == nil && row.text(at: 9) == nil && row.text(at: -1) == nil
    }
    #expect(isNil == true)
  }

  @Test func `a transaction is open until it ends`() throws {
    let connection = try Connection(path: directory.file("a.db"))
    var seen = [connection.isInTransaction]
    for statement in ["BEGIN", "ROLLBACK"] {
      try connection.execute(statement)
      seen.append(connection.isInTransaction)
    }
    #expect(seen == [false, true, false])
  }

  @Test func `a failing call tells its name, code and message`() throws {
    let connection = try Connection(path: directory.file("a.db"))
    #expect(throws: SQLiteError(call: "sqlite3_exec", code: 1, message: "no such table: t")) {
      try connection.execute("SELECT * FROM t")
    }
    #expect(throws: SQLiteError(call: "sqlite3_bind", code: 25, message: "column index out of range")) {
      try connection.prepare("SELECT 1").run(.integer(1))
    }
    let error = #expect(throws: SQLiteError.self) { try connection.prepare("SELECT") }
    #expect(error?.call == "sqlite3_prepare_v3")
  }

  @Test func `a statement goes on after one that failed`() throws {
    let connection = try Connection(path: directory.file("a.db"))
    try connection.execute("CREATE TABLE t (a INTEGER PRIMARY KEY CHECK (a > 0))")
    let insert = try connection.prepare("INSERT INTO t VALUES (?1)")
    let error = #expect(throws: SQLiteError.self) { try insert.run(.integer(0)) }
    #expect(error?.code == 275)
    #expect(try insert.run(.integer(1)) == 1)
  }

  @Test func `causes are told apart`() throws {
    let path = directory.file("a.db")
    let first = try Connection(path: path)
    try first.execute("PRAGMA locking_mode = EXCLUSIVE; CREATE TABLE t (a); PRAGMA max_page_count = 2")
    let full = #expect(throws: SQLiteError.self) {
      try first.execute("INSERT INTO t VALUES (zeroblob(100000))")
    }
    #expect(full?.cause == .full)
    let second = try Connection(path: path)
    #expect(#expect(throws: SQLiteError.self) { try second.integer("SELECT * FROM t") }?.cause == .busy)

    let missing = #expect(throws: SQLiteError.self) {
      _ = try Connection(path: directory.file("none.db"), access: .readOnly)
    }
    #expect(missing?.cause == .cannotOpen)
    #expect(missing?.call == "sqlite3_open_v2")
    #expect(missing?.systemCode != 0)
  }

  @Test func `a connection for reading writes nothing`() throws {
    let path = directory.file("a.db")
    try Connection(path: path).execute("CREATE TABLE t (a)")
    let reader = try Connection(path: path, access: .readOnly)
    #expect(#expect(throws: SQLiteError.self) { try reader.execute("DROP TABLE t") }?.cause == .readOnly)
  }

  @Test func `a statement tells what it was compiled from`() throws {
    let connection = try Connection(path: directory.file("a.db"))
    #expect(try connection.prepare("SELECT 'é' ").sql == "SELECT 'é' ")
  }

  @Test func `statements outlive their connection's scope`() throws {
    func statement() throws -> Statement {
      try Connection(path: directory.file("a.db")).prepare("SELECT 7")
    }
    #expect(try statement().first { $0.integer(at: 0) } == 7)
  }
}
