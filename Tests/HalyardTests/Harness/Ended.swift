import JSONQuery
import Testing

/// What a program that has ended left behind.
struct Ended {
  /// The exit status, or 128 and the signal's number, as a shell tells it.
  var status: Int32
  var output: String
  var messages: String

  /// The rows of JSONL output; each line must be one.
  func rows(_ location: SourceLocation = #_sourceLocation) throws -> [Row] {
    try output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { line in
      let value = try JSONDocument(parsing: Array(line.utf8)).root
      try #require(value.kind == .object, sourceLocation: location)
      return Row(value: value)
    }
  }

  /// The lines of any other format.
  var lines: [String] { output.split(separator: "\n").map(String.init) }
}

/// One row of output.
struct Row {
  let value: JSONValue

  /// The text of the member at a dotted path: strings bare, the rest as JSON; nil where there is none.
  subscript(path: String) -> String? {
    var member: JSONValue? = value
    for name in path.split(separator: ".") { member = member?[String(name)] }
    return member.flatMap { $0.string ?? $0.minified }
  }

  var ordinal: Int { self["ordinal"].flatMap { Int($0) } ?? -1 }

  /// `ok`, or the kind of the failure.
  var outcome: String { self["error.kind"] ?? self["status"] ?? "none" }
}
