import Testing

@testable import HalyardCLI

/// Keeps what is written, or refuses it.
final class CollectingSink: ByteSink {
  private(set) var writes: [[UInt8]] = []
  var refusal: OutputError?

  var text: String { String(decoding: writes.flatMap { $0 }, as: UTF8.self) }

  func write(_ bytes: [UInt8]) throws(OutputError) {
    if let refusal { throw refusal }
    writes.append(bytes)
  }
}

enum Rows {
  static let page = #"""
    {"schema":"halyard.result/1","id":"01","kind":"title","input":"http://sho.rt/x","status":"ok",\#
    "url":"https://example.org/post","http_status":200,"hops":[{"url":"http://sho.rt/x","status":301}],\#
    "title":"Tea, \"hot\"","card":{"title":"Tea","image":"https://example.org/tea.png","feeds":[]},\#
    "kept":{"id":"7","a.b":"dotted"},"ms":148}
    """#
  static let failure = #"""
    {"schema":"halyard.result/1","id":"02","kind":"title","input":"https://gone.test/","status":"failed",\#
    "http_status":404,"title":null,"error":{"kind":"http_status","stage":"headers","message":"404","retryable":false},\#
    "kept":{"id":"8"}}
    """#
  static let value = #"""
    {"kind":"decode","input":"https://a.test/","status":"ok","url":"https://a.test/","http_status":200,\#
    "value":{"n":1.50,"list":[1,null]}}
    """#
}

/// What a command line prints for some rows.
func output(
  _ words: [String], _ rows: [String], terminal: TerminalTraits? = nil, environment: [String: String] = [:]
) throws -> String {
  let plan = try outputPlan(words, terminal: terminal, environment: environment)
  let sink = CollectingSink()
  var writer = RowWriter(plan.encoder, to: sink)
  for row in rows { try writer.write(Array(row.utf8)) }
  try writer.flush()
  return sink.text
}

func outputPlan(
  _ words: [String], terminal: TerminalTraits? = nil, environment: [String: String] = [:]
) throws -> OutputPlan {
  let invocation = try Invocation.parse(words, environment: environment)
  guard case .run(let arguments) = invocation else { throw NoPlan() }
  let pipe = TerminalTraits(isTerminal: false, width: nil, environment: [:])
  return try OutputPlan(arguments, standardOutput: terminal ?? pipe)
}

private struct NoPlan: Error {}
