import JSONQuery
import Testing

struct JSONPointerTests {
  private static let example = #"""
    { "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8 }
    """#

  @Test(arguments: [
    ("/foo", #"["bar","baz"]"#), ("/foo/0", #""bar""#), ("/", "0"), ("/a~1b", "1"), ("/c%d", "2"),
    ("/e^f", "3"),
    ("/g|h", "4"), (#"/i\j"#, "5"), ("/k\"l", "6"), ("/ ", "7"), ("/m~0n", "8"), ("#/foo", #"["bar","baz"]"#),
    ("#/foo/0", #""bar""#), ("#/", "0"), ("#/a~1b", "1"), ("#/c%25d", "2"), ("#/e%5Ef", "3"),
    ("#/g%7Ch", "4"),
    ("#/i%5Cj", "5"), ("#/k%22l", "6"), ("#/%20", "7"), ("#/m~0n", "8"), ("#/a%7E1b", "1"),
  ])
  func `a pointer of the standard finds its value`(pointer: String, expected: String) throws {
    let root = try parse(Self.example)
    #expect(try JSONPointer(pointer).resolve(in: root).minified == expected)
  }

  @Test(arguments: ["", "#"])
  func `the empty pointer is the whole document`(pointer: String) throws {
    #expect(try JSONPointer(pointer).resolve(in: parse("[1]")).minified == "[1]")
  }

  @Test(arguments: [
    ("/a/0/x", "/a/0 is of kind number, so it has no 'x'"), ("/b", "the document has no member 'b'"),
    ("/a/2", "/a has no element 2, only 2"), ("/a/-", "/a is an array and '-' is not an index"),
    ("/a/01", "/a is an array and '01' is not an index"),
    ("/a/+1", "/a is an array and '+1' is not an index"),
    ("/a/", "/a is an array and '' is not an index"), ("/a/1e0", "/a is an array and '1e0' is not an index"),
    ("/a/99999999999999999999", "/a has no element 99999999999999999999, only 2"),
    ("/c~1d/~0/x", "/c~1d/~0 has no member 'x'"),
  ])
  func `a miss tells which part is missing`(pointer: String, message: String) throws {
    let root = try parse(#"{"a":[1,2],"c/d":{"~":{}}}"#)
    #expect(throws: JSONFindingError.mismatch(message)) { try JSONPointer(pointer).resolve(in: root) }
  }

  @Test(
    arguments: [
      ("a", .missingSlash), ("a/b", .missingSlash), ("#a", .missingSlash), ("/~", .malformedTilde),
      ("/a~2b", .malformedTilde), ("/~~0", .malformedTilde), ("#/%", .malformedPercent),
      ("#/%4", .malformedPercent),
      ("#/%zz", .malformedPercent), ("#/%FF", .malformedPercent),
    ] as [(String, JSONPointerError)])
  func `a text that is no pointer is refused`(text: String, reason: JSONPointerError) {
    #expect(throws: reason) { try JSONPointer(text) }
  }

  @Test func `a value knows the pointer that leads to it`() throws {
    let root = try parse(#"{"a":{"x":[0,{"m~n":[1]}]},"a/b":[[],[[true]]],"z":2}"#)
    for text in ["", "/a", "/a/x/0", "/a/x/1/m~0n/0", "/a~1b/0", "/a~1b/1/0/0", "/z"] {
      let value = try JSONPointer(text).resolve(in: root)
      #expect(value.pointer.text == text)
    }
  }
}
