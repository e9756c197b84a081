import JSONQuery
import Testing

/// JSON in the scripts that some servers send.
struct ScriptWrappingTests {
  private func unwrapped(_ text: String) throws(JSONError) -> String {
    try JSONDocument(parsing: Array(text.utf8), unwrapping: true).root.minified
  }

  @Test(arguments: [
    ")]}'\n{\"a\":1}", ")]}',\n{\"a\":1}", " )]}' {\"a\":1}\n", "for(;;);{\"a\":1}", "for (;;);{\"a\":1}",
    "while(1);{\"a\":1}", "while (1); {\"a\":1}", "throw 1; < don't be evil' >{\"a\":1}", "throw 1;{\"a\":1}",
    "{}&&{\"a\":1}", "{} && {\"a\":1}", "\u{FEFF})]}'\n{\"a\":1}",
  ])
  func `words in front are passed over`(text: String) throws {
    #expect(try unwrapped(text) == #"{"a":1}"#)
    #expect(throws: JSONError.self) { try parse(text) }
  }

  @Test(arguments: [
    "cb({\"a\":1})", "cb({\"a\":1});", " cb ( {\"a\":1} ) ; \n", "/**/cb({\"a\":1});",
    "/**/ typeof cb === 'function' && cb({\"a\":1});", "$.jQuery17_2({\"a\":1})", "a.b['c'][0]({\"a\":1});",
    "/* \")\" */ _({\"a\":1})",
  ])
  func `the argument of a call is read`(text: String) throws {
    #expect(try unwrapped(text) == #"{"a":1}"#)
    #expect(throws: JSONError.self) { try parse(text) }
  }

  @Test(arguments: [
    ("{\"a\":1}", #"{"a":1}"#), ("true", "true"), ("\"cb(1)\"", #""cb(1)""#), ("{}", "{}"), (" [1] ", "[1]"),
  ])
  func `plain JSON stays what it is`(text: String, value: String) throws {
    #expect(try unwrapped(text) == value)
  }

  @Test(
    arguments: [
      (")]}'", .endsTooEarly, 4), (")]}'\n{", .endsTooEarly, 6), ("cb({]})", .expectedKey, 4),
      ("cb({})x", .expectedValue, 0),
      ("cb({}", .expectedValue, 0), ("cb()", .endsTooEarly, 3), ("cb(1,2)", .contentAfterValue, 4),
      ("({})", .expectedValue, 0),
      ("/* cb({})", .expectedValue, 0), ("throw 1;<", .endsTooEarly, 9), ("1x(2)", .contentAfterValue, 1),
      ("cb", .expectedValue, 0), ("", .endsTooEarly, 0),
    ] as [(String, JSONError.Reason, Int)])
  func `what is no such script is refused, with the byte of the whole`(
    text: String, reason: JSONError.Reason, offset: Int
  ) {
    #expect(throws: JSONError(reason, at: offset)) { try unwrapped(text) }
  }
}
