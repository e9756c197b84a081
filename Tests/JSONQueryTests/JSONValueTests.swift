import JSONQuery
import Testing

struct JSONValueTests {
  @Test func `a value tells its kind and gives only what it is`() throws {
    let root = try parse(#"{"o":{},"a":[],"s":"x","n":1.50,"t":true,"f":false,"z":null}"#)
    #expect(root.members.map(\.key) == ["o", "a", "s", "n", "t", "f", "z"])
    #expect(root.members.map(\.value.kind) == [.object, .array, .string, .number, .bool, .bool, .null])
    #expect(root["s"]?.string == "x")
    #expect(root["n"]?.string == nil)
    #expect(root["n"]?.numberText == "1.50")
    #expect(root["s"]?.numberText == nil)
    #expect(root["t"]?.bool == true)
    #expect(root["f"]?.bool == false)
    #expect(root["z"]?.bool == nil)
    #expect(root["z"]?.isNull == true)
    #expect(root["missing"] == nil)
    #expect(root["s"]?["x"] == nil)
  }

  @Test(
    arguments: [
      ("0", 0), ("-0", 0), ("42", 42), ("9223372036854775807", .max), ("-9223372036854775808", .min),
      ("9223372036854775808", nil), ("1.0", nil), ("1e3", nil), ("\"1\"", nil), ("[1]", nil),
    ] as [(String, Int64?)])
  func `a whole number that fits is an Int64`(text: String, expected: Int64?) throws {
    #expect(try parse(text).int64 == expected)
  }

  @Test(arguments: [
    "12345678901234567890123456789", "0.1000000000000000055511151231257827", "1E400", "-0.0", "1.10",
  ])
  func `a number stays as it is written`(text: String) throws {
    #expect(try parse(" \(text) ").numberText == text)
    #expect(try parse("[ \(text) ]").minified == "[\(text)]")
  }

  @Test(arguments: [
    (#""""#, ""), (#""plain""#, "plain"), (#""a\tb\\c\/d\"e""#, "a\tb\\c/d\"e"), (#""\u0041\u00e9é""#, "Aéé"),
    (#""\ud83d\ude00\uD83D\uDE00""#, "😀😀"), (#""\u0000\b\f\r\n""#, "\0\u{8}\u{C}\r\n"),
    (#""\\u0041""#, #"\u0041"#), (#""日\n本""#, "日\n本"),
  ])
  func `a string is decoded when asked`(text: String, expected: String) throws {
    let decoded = try #require(try parse(text).string)
    #expect(Array(decoded.utf8) == Array(expected.utf8))
  }

  @Test func `children are walked over whole subtrees`() throws {
    let root = try parse(#"[[1,[2]],{"a":[3]},"x",[],{}]"#)
    #expect(root.count == 5)
    #expect(root.elements.map(\.minified) == ["[1,[2]]", #"{"a":[3]}"#, #""x""#, "[]", "{}"])
    #expect(root.elements.map(\.count) == [2, 1, 0, 0, 0])
    #expect(root.element(at: 1)?["a"]?.element(at: 0)?.int64 == 3)
    #expect(root.element(at: 5) == nil)
    #expect(root.element(at: -1) == nil)
    #expect(root.members.map(\.key) == [])
    #expect(try parse(#"{"a":1}"#).elements.map(\.minified) == [])
    #expect(try parse(#"{"a":1}"#).element(at: 0) == nil)
  }

  @Test func `a member's name is compared after its escapes, byte by byte`() throws {
    let root = try parse(#"{"\u0061\/":1,"e\u0301":2,"é":3}"#)
    #expect(root["a/"]?.int64 == 1)
    #expect(root["e\u{301}"]?.int64 == 2)
    #expect(root["\u{E9}"]?.int64 == 3)
  }

  @Test func `an offset is that of the value's first byte`() throws {
    let root = try parse("\u{FEFF} {\"é\" : [ true ]}")
    #expect(root.offset == 4)
    #expect(root["é"]?.offset == 12)
    #expect(root["é"]?.element(at: 0)?.offset == 14)
  }
}
