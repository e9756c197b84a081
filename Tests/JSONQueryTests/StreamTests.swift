import JSONQuery
import Testing

/// Several texts in one body.
struct StreamTests {
  private func document(_ text: String, _ form: JSONForm) throws(JSONError) -> JSONDocument {
    try JSONDocument(parsing: Array(text.utf8), as: form)
  }

  @Test(arguments: [
    ("{\"a\":1}\n[2]\n", #"[{"a":1},[2]]"#), ("1\n2", "[1,2]"), ("1\r\n\"a\"\r\n", #"[1,"a"]"#),
    ("\n \n1\n\t\n2\n\n", "[1,2]"), ("{ \"a\" : 1 }\n [ 1 , 2 ] ", #"[{"a":1},[1,2]]"#), ("", "[]"),
    ("\n", "[]"),
    ("\u{FEFF}1\n2\n", "[1,2]"), ("\"\\n\"\n", #"["\n"]"#), ("true\nnull", "[true,null]"),
  ])
  func `lines are the elements of an array`(text: String, array: String) throws {
    let document = try document(text, .lines)
    #expect(document.root.minified == array)
    #expect(document.root.count == (try parse(array).count))
    #expect(document.skipped.isEmpty)
  }

  @Test(
    arguments: [
      ("1\n{\n2\n", .endsTooEarly, 3, 2), ("1\n\n{]\n2", .expectedKey, 4, 3),
      ("1 2\n3", .contentAfterValue, 2, 1),
      ("{\"a\":\n1}\n", .endsTooEarly, 5, 1), ("1\n[1,2", .endsTooEarly, 6, 2),
      ("1\ntru", .endsTooEarly, 5, 2),
      ("1\n\"a\nb\"\n", .endsTooEarly, 4, 2), ("[1\n]", .endsTooEarly, 2, 1),
      ("\u{1E}1\n", .expectedValue, 0, 1),
    ] as [(String, JSONError.Reason, Int, Int)])
  func `a broken line fails with its number and its byte`(
    text: String, reason: JSONError.Reason, offset: Int, line: Int
  ) {
    #expect(throws: JSONError(reason, at: offset, in: .line(line))) { try document(text, .lines) }
  }

  @Test func `a message names the line`() {
    let error = #expect(throws: JSONError.self) { try document("1\n{]", .lines) }
    #expect(error?.message == "line 2: expected a member name in double quotes at byte 3")
  }

  @Test(arguments: [
    ("\u{1E}{\"a\":1}\n\u{1E}[2]\n", #"[{"a":1},[2]]"#), ("\u{1E}1\n", "[1]"), ("\u{1E}[1]", "[[1]]"),
    ("\u{1E}\u{1E}\u{1E}\"a\"\u{1E}", #"["a"]"#), ("\u{1E}{\n\"a\":\n1}\n", #"[{"a":1}]"#), ("", "[]"),
    ("\u{1E}", "[]"),
    ("\u{1E} \n\u{1E}true ", "[true]"), ("\u{FEFF}\u{1E}1\n", "[1]"),
  ])
  func `texts of a sequence are the elements of an array`(text: String, array: String) throws {
    let document = try document(text, .sequence)
    #expect(document.root.minified == array)
    #expect(document.skipped.isEmpty)
  }

  @Test(
    arguments: [
      ("\u{1E}1\n\u{1E}{\"a\":[1,]\n\u{1E}3\n", "[1,3]", [JSONError(.expectedValue, at: 12, in: .text(2))]),
      ("\u{1E}[1]\n\u{1E}[2", "[[1]]", [JSONError(.endsTooEarly, at: 8, in: .text(2))]),
      ("junk\u{1E}[1]\n", "[[1]]", [JSONError(.expectedValue, at: 0, in: .text(1))]),
      // A number or a word without white space behind it may be the start of a longer one.
      ("\u{1E}[1]\n\u{1E}12", "[[1]]", [JSONError(.endsTooEarly, at: 8, in: .text(2))]),
      ("\u{1E}true\u{1E}[1]\n", "[[1]]", [JSONError(.endsTooEarly, at: 5, in: .text(1))]),
    ] as [(String, String, [JSONError])])
  func `a broken text of a sequence is passed over`(text: String, array: String, skipped: [JSONError]) throws
  {
    let document = try document(text, .sequence)
    #expect(document.root.minified == array)
    #expect(document.skipped == skipped)
  }

  @Test func `a sequence without any sound text fails with the first error`() {
    #expect(throws: JSONError(.expectedValue, at: 1, in: .text(1))) {
      try document("\u{1E}x\u{1E}y", .sequence)
    }
    #expect(throws: JSONError(.contentAfterValue, at: 3, in: .text(1))) {
      try document("[]\n[]\n", .sequence)
    }
  }

  @Test func `a stream is selected from as the array it is`() throws {
    let root = try document("{\"a\":1}\n\n{\"a\":{\"b\":[2]}}\n", .lines).root
    #expect(root.kind == .array)
    #expect(try JSONPointer("/1/a/b/0").resolve(in: root).int64 == 2)
    #expect(try JSONPath("$[*].a").select(in: root).map(\.minified) == ["1", #"{"b":[2]}"#])
    #expect(root.element(at: 1)?["a"]?["b"]?.pointer.text == "/1/a/b")
    #expect(root.element(at: 1)?.offset == 9)
    #expect(try JSONPath("$").select(in: root).map(\.minified) == [root.minified])
  }

  @Test func `many lines cost no more than their values`() throws {
    let lines = (0..<100_000).map { "{\"n\":\($0)}" }.joined(separator: "\n")
    let root = try document(lines, .lines).root
    #expect(root.count == 100_000)
    #expect(root.element(at: 99_999)?["n"]?.int64 == 99_999)
    let limited = #expect(throws: JSONError.self) {
      try JSONDocument(parsing: Array(lines.utf8), as: .lines, limits: JSONLimits(values: 7))
    }
    #expect(limited?.reason == .tooManyValues)
    #expect(limited?.place == .line(3))
  }

  @Test func `the array around the texts is a level too`() throws {
    let deep = String(repeating: "[", count: 511) + String(repeating: "]", count: 511)
    let root = try document("\(deep)\n\(deep)\n", .lines).root
    #expect(try parse(root.minified).count == 2)
    #expect(throws: JSONError(.tooDeep, at: 1_534, in: .line(2))) {
      try document("\(deep)\n[\(deep)]", .lines)
    }
  }
}
