import JSONQuery
import Testing

/// The examples of RFC 9535, sections 2.3.5 and 2.4, and what lies between them.
struct FilterTests {
  private static let values = #"""
    { "a": [3, 5, 1, 2, 4, 6, {"b": "j"}, {"b": "k"}, {"b": {}}, {"b": "kilo"}],
      "o": {"p": 1, "q": 2, "r": 3, "s": 5, "t": {"u": 6}}, "e": "f" }
    """#

  @Test(arguments: [
    ("$.a[?@.b == 'kilo']", #"{"b":"kilo"}"#), ("$.a[?(@.b == 'kilo')]", #"{"b":"kilo"}"#),
    ("$.a[?@>3.5]", "5 4 6"),
    ("$.a[?@.b]", #"{"b":"j"} {"b":"k"} {"b":{}} {"b":"kilo"}"#),
    ("$[?@[?@.b]].length", ""), ("$.o[?@<3, ?@<3]", "1 2 1 2"),
    ("$.a[?@<2 || @.b == \"k\"]", #"1 {"b":"k"}"#),
    ("$.a[?match(@.b, \"[jk]\")]", #"{"b":"j"} {"b":"k"}"#),
    ("$.a[?search(@.b, \"[jk]\")]", #"{"b":"j"} {"b":"k"} {"b":"kilo"}"#), ("$.o[?@>1 && @<4]", "2 3"),
    ("$.o[?@.u || @.x]", #"{"u":6}"#), ("$.a[?@.b == $.x]", "3 5 1 2 4 6"),
    ("$.a[?@ == @][0]", ""), ("$.a[?@<3 && @>1 || @==5]", "5 2"), ("$.a[?@==5 || @<3 && @>1]", "5 2"),
    ("$.a[?@<3 && (@>1 || @==5)]", "2"), ("$.a[?!@.b && @>4]", "5 6"), ("$.a[?!(@.b) && !(@<=4)]", "5 6"),
    ("$.a[? ! ( @.b || @ > 1 ) ]", "1"), ("$.o[?@.*]", #"{"u":6}"#), ("$[?@[0]==3][-1].b", #""kilo""#),
    ("$.a[?$.e=='f'][?@]", #""j" "k" {} "kilo""#), ("$.a[?@.b==$.a[-1].b]", #"{"b":"kilo"}"#),
    ("$.e[?@]", ""),
    ("$[?@=='f']", #""f""#), ("$[?@['e'] || @ == 'f']", #""f""#), ("$..[?@.b=='j'].b", #""j""#),
    ("$.o[?'a'<'b'][?@]", "6"),
    ("$.a[?@ [ 'b' ]=='j'].b", #""j""#), ("$.a[?\n@.b\t==\r'j' ].b", #""j""#),
    ("$.a[?@.b==\"j\"||@.b=='k'].b", #""j" "k""#),
  ])
  func `a filter finds what its test holds for`(query: String, expected: String) throws {
    #expect(try found(query, in: Self.values) == expected)
  }

  @Test func `tests of what is inside choose whole members`() throws {
    let root = try parse(Self.values)
    #expect(try JSONPath("$[?@.*]").select(in: root).map(\.pointer.text) == ["/a", "/o"])
    #expect(try JSONPath("$[?@[?@.b]]").select(in: root).map(\.pointer.text) == ["/a"])
    #expect(try JSONPath("$.a[?@ == @]").select(in: root).count == 10)
  }

  @Test(arguments: [
    ("$.absent1 == $.absent2", true), ("$.absent1 <= $.absent2", true), ("$.absent == 'g'", false),
    ("$.absent1 != $.absent2", false), ("$.absent != 'g'", true), ("1 <= 2", true), ("1 > 2", false),
    ("13 == '13'", false),
    ("'a' <= 'b'", true), ("'a' > 'b'", false), ("$.obj == $.arr", false), ("$.obj != $.arr", true),
    ("$.obj == $.obj", true), ("$.obj != $.obj", false), ("$.arr == $.arr", true), ("$.arr != $.arr", false),
    ("$.obj == 17", false), ("$.obj != 17", true), ("$.obj <= $.arr", false), ("$.obj < $.arr", false),
    ("$.obj <= $.obj", true), ("$.arr <= $.arr", true), ("1 <= $.arr", false), ("1 >= $.arr", false),
    ("1 > $.arr", false),
    ("1 < $.arr", false), ("true <= true", true), ("true > true", false), ("true == false", false),
    ("false < true", false),
    ("null == null", true), ("null <= null", true), ("null < 1", false), ("null == false", false),
    ("$.absent < 1", false),
    ("$.absent == null", false), ("'' < 'a'", true), ("'a' < 'aa'", true), ("'B' < 'a'", true),
    ("'é' > 'z'", true),
    ("'\u{FFFD}' < '\u{10000}'", true), ("'a' >= 'a'", true), (#"'\u0061' == "a""#, true),
    ("'e\u{301}' == 'é'", false),
    ("$.same == $.other", true), ("$.same.l == $.other.l", true), ("$.same == $.obj", false),
    ("$.twice == $.once", true),
    ("$.arr == $.longer", false), ("$.longer[0] == $.arr[0]", true), ("$.empty == $.none", false),
    ("$.none == $.obj", false), ("$.obj == $.none", false),
    ("$.empty == $.empty", true),
  ])
  func `a comparison holds or does not`(test: String, holds: Bool) throws {
    let document = #"""
      [ {"obj": {"x": "y"}, "arr": [2, 3], "longer": [2, 3, 4], "empty": [], "none": {},
         "same": {"k": 1, "l": [1.0, {"m": null, "n": true}]}, "other": {"l": [1, {"n": true, "m": null}], "k": 10e-1},
         "twice": {"a": 1, "a": 2}, "once": {"a": 2}} ]
      """#
    let query = "$[?\(test)]".replacing("$.", with: "@.")
    #expect(try JSONPath("$\(query.dropFirst())").select(in: parse(document)).count == (holds ? 1 : 0))
  }

  @Test(arguments: [
    "1 == 1.0", "1 == 1e0", "1 == 10E-1", "100 == 1e2", "0 == -0", "0 == 0.000e99", "-0.0 == 0e-5",
    "1.10 == 1.1", "1 != 1.0000000000000000000000001",
    "0.1 < 0.10000000000000000000000000000001", "12345678901234567890123 < 12345678901234567890124",
    "1e400 < 2e400",
    "-2e400 < -1e400", "-1 < 0", "-1 < 1", "0 < 1e-400", "-1e-400 < 0", "9 < 10", "0.9 < 1", "0.09 < 0.1",
    "-10 < -9", "99.9e1 == 999",
    "0.00123 == 123e-5", "1e99999999999999999999999 > 1e400", "1e-99999999999999999999999 < 1e-400",
    "9007199254740993 > 9007199254740992",
    "10 > 9.99999999999999999999", "123.456 > 123.45", "1234.5 > 123.456", "5e-1 == 0.5", "1000 == 1000.000",
  ])
  func `numbers are compared by their value, to the last digit`(test: String) throws {
    #expect(try found("$[?\(test)]", in: "[7]") == "7")
    let parts = test.split(separator: " ")
    let document = "[{\"l\": \(parts[0]), \"r\": \(parts[2])}]"
    #expect(try JSONPath("$[?@.l \(parts[1]) @.r]").select(in: parse(document)).count == 1)
    let opposite = ["==": "!=", "!=": "==", "<": ">=", ">": "<="][String(parts[1])] ?? ""
    #expect(try JSONPath("$[?@.l \(opposite) @.r]").select(in: parse(document)).isEmpty)
  }
}
