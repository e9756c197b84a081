import JSONQuery

/// Whether what a worker found can go into a row as it is: members of one JSON object, in UTF-8, on one line, and none of
/// those that the aggregator writes itself. A worker may be taken over, so nothing of that is taken for granted.
enum MembersCheck {
  /// The names that stand in rows beside what was found.
  private static let reserved: [[UInt8]] = [
    "schema", "id", "ref", "batch", "ordinal", "kind", "input", "status", "error", "attempts", "ms", "kept",
    "origin", "cached", "age", "revalidated",
  ].map { Array($0.utf8) }

  static func areSound(_ members: [UInt8]) -> Bool {
    members.isEmpty || areMinifiedMembers(members, where: isFree)
  }

  /// A name may be written in many ways, and none of ours needs more than one.
  private static func isFree(_ name: ArraySlice<UInt8>) -> Bool {
    !name.contains(UInt8(ascii: "\\"))
      && !reserved.contains { $0.count == name.count && $0.elementsEqual(name) }
  }
}

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
