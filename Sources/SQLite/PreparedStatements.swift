/// The text of a statement, which every connection compiles once. What tells it from others is itself, not its text.
public final class SQL: Sendable {
  let text: String

  public init(_ text: String) { self.text = text }
}

/// The statements of a connection, each compiled when it is first used. It does not outlive the connection.
@safe
public final class PreparedStatements {
  private let connection: OpaquePointer
  private var compiled: [ObjectIdentifier: (sql: SQL, statement: Statement)] = [:]

  public init(_ connection: borrowing Connection) {
    unsafe self.connection = unsafe connection.handle
  }

  public subscript(sql: SQL) -> Statement {
    get throws(SQLiteError) {
      if let known = compiled[ObjectIdentifier(sql)] { return known.statement }
      let statement = try unsafe Statement(sql.text, on: connection)
      compiled[ObjectIdentifier(sql)] = (sql, statement)
      return statement
    }
  }
}
