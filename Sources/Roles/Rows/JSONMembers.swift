import JSONQuery

// Members of an object as bytes, without braces: so more can be written behind them.

extension JSONWriter {
  /// Writes members that are JSON already, without braces.
  mutating func members(_ members: [UInt8]) {
    if !members.isEmpty { raw(members) }
  }
}

extension JSONDocument {
  /// Reads members that stand without braces.
  init(members: [UInt8]) throws(JSONError) {
    try self.init(parsing: [UInt8(ascii: "{")] + members + [UInt8(ascii: "}")], limits: .around)
  }
}
