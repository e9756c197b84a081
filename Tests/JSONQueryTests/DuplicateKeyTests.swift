import JSONQuery
import Testing

struct DuplicateKeyTests {
  @Test func `of several members with one name the last wins`() throws {
    let root = try parse(#"{"a":1,"b":2,"\u0061":{"a":3},"b":4}"#)
    #expect(root["a"]?.minified == #"{"a":3}"#)
    #expect(root["b"]?.int64 == 4)
    #expect(root.count == 4)
  }

  @Test(arguments: [
    ("{}", []), (#"{"a":1}"#, []), (#"{"a":{"a":1}}"#, []), (#"[{"a":1},{"a":1}]"#, []),
    (#"{"a":1,"a":2}"#, [7]),
    (#"{"a":1,"b":{"c":1,"c":2},"a":2}"#, [25, 18]), (#"{"a":1,"\u0061":2,"a":3}"#, [7, 18]),
    (#"{"é":1,"e\u0301":2}"#, []),
  ])
  func `repeated names are found where they stand`(text: String, offsets: [Int]) throws {
    #expect(try JSONDocument(parsing: Array(text.utf8)).duplicateKeys().map(\.offset) == offsets)
  }

  @Test func `a large object is searched by hashing and the list is cut at its limit`() throws {
    let members = (0..<20_000).map { #""k\#($0 % 19_997)":[\#($0)]"# }
    let document = try JSONDocument(parsing: Array("{\(members.joined(separator: ","))}".utf8))
    #expect(document.duplicateKeys().count == 3)
    #expect(document.duplicateKeys(atMost: 2).count == 2)
    #expect(document.root["k2"]?.minified == "[19999]")
  }
}
