/// A place in a document, counted from 1; columns count characters of Unicode.
package struct TOMLPosition: Hashable, Sendable {
  package var line: Int
  package var column: Int

  package init(line: Int, column: Int) {
    (self.line, self.column) = (line, column)
  }
}

/// Why a text is not TOML 1.0, and where.
package struct TOMLError: Error, Hashable, Sendable {
  package var position: TOMLPosition
  package var message: String
}

/// A value and where it stands.
package struct TOMLValue: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    case string(String)
    case integer(Int64)
    case float(Double)
    case boolean(Bool)
    case array([TOMLValue])
    case table(TOMLTable)
  }

  package var content: Content
  package var position: TOMLPosition

  /// What it is, for messages.
  package var kind: String {
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
package struct TOMLTable: Hashable, Sendable {
  package struct Member: Hashable, Sendable {
    package var key: String
    /// Where the key was written first.
    package var position: TOMLPosition
    package var value: TOMLValue
  }

  package var members: [Member]

  package subscript(key: String) -> TOMLValue? {
    members.first { $0.key == key }?.value
  }

  /// Reads a document of TOML 1.0. What no setting takes is refused: dates and times, arrays of tables, integers that are not
  /// decimal, infinity and what is no number.
  package init(parsing bytes: [UInt8]) throws(TOMLError) {
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
