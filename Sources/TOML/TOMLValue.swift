/// A place in a document, counted from 1; columns count characters of Unicode.
public struct TOMLPosition: Hashable, Sendable {
  public var line: Int
  public var column: Int

  public init(line: Int, column: Int) {
    (self.line, self.column) = (line, column)
  }
}

/// Why a text is not TOML 1.0, and where.
public struct TOMLError: Error, Hashable, Sendable {
  public var position: TOMLPosition
  public var message: String
}

/// A value and where it stands.
public struct TOMLValue: Hashable, Sendable {
  public enum Content: Hashable, Sendable {
    case string(String)
    case integer(Int64)
    case float(Double)
    case boolean(Bool)
    case array([TOMLValue])
    case table(TOMLTable)
  }

  public var content: Content
  public var position: TOMLPosition

  /// What it is, for messages.
  public var kind: String {
    switch content {
    case .string: "a string"
    case .integer: "an integer"
    case .float: "a float"
    case .boolean: "a boolean"
    case .array: "an array"
    case .table: "a table"
    }
  }
}

/// The members of a table, in the order of the document.
public struct TOMLTable: Hashable, Sendable {
  public struct Member: Hashable, Sendable {
    public var key: String
    /// Where the key was written first.
    public var position: TOMLPosition
    public var value: TOMLValue
  }

  public var members: [Member]

  public subscript(key: String) -> TOMLValue? {
    members.first { $0.key == key }?.value
  }

  /// Reads a document of TOML 1.0. Dates and times are refused: nothing here has use for them.
  public init(parsing bytes: [UInt8]) throws(TOMLError) {
    var parser = TOMLParser(bytes)
    self = try parser.document()
  }

  init(members: [Member]) {
    self.members = members
  }
}

/// How deep values may stand in each other, and how many parts a key may have.
enum TOMLLimits {
  static let depth = 64
}
