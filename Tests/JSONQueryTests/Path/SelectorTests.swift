import JSONQuery
import Testing

/// The examples of RFC 9535, sections 2.2 to 2.6, and what lies between them.
struct SelectorTests {
  private static let names =
    #"{"o": {"j j": {"k.k": 3}}, "'": {"@": 2}, "é": 4, "\"": 5, "\\": 6, "😀": 7, "": 8}"#
  private static let letters = #"["a", "b", "c", "d", "e", "f", "g"]"#
  private static let nested = #"{"o": {"j": 1, "k": 2}, "a": [5, 3, [{"j": 4}, {"k": 6}]]}"#
  private static let nulls = #"{"a": null, "b": [null], "c": [{}], "null": 1}"#

  @Test(arguments: [
    ("$.o['j j']", #"{"k.k":3}"#), ("$.o['j j']['k.k']", "3"), (#"$.o["j j"]["k.k"]"#, "3"),
    (#"$["'"]["@"]"#, "2"), (#"$['\'']['@']"#, "2"), ("$.é", "4"), (#"$["\u00E9"]"#, "4"),
    (#"$['\u00e9']"#, "4"), ("$['\"']", "5"), (#"$["\""]"#, "5"), (#"$['\\']"#, "6"), ("$.😀", "7"),
    (#"$["\uD83D\ude00"]"#, "7"), ("$['']", "8"), ("$[\"\"]", "8"), ("$.nope", ""),
    ("$['o','nope','']", #"{"j j":{"k.k":3}} 8"#),
    ("$['e\u{301}']", ""), ("$[0]", ""), ("$ \n.o\t ['j j'] [ 'k.k' ]", "3"), ("$[\r'o'\r, 'é' ].nope", ""),
  ])
  func `a name finds a member`(query: String, expected: String) throws {
    #expect(try found(query, in: Self.names) == expected)
  }

  @Test(arguments: [
    (#"{"\b\f\n\r\t/\u0001": 1}"#, #"$['\b\f\n\r\t\/\u0001']"#), (#"{"\u0000": 1}"#, #"$["\u0000"]"#),
    (#"{"a\u007f": 1}"#, "$['a\u{7F}']"), (#"{"_a1": 1}"#, "$._a1"), (#"{"A\u0041": 1}"#, "$.AA"),
    (#"{"true": 1}"#, "$.true"), (#"{"x": 0, "x": 1}"#, "$.x"), (#"{"x": 0, "\u0078": 1}"#, "$['x']"),
  ])
  func `a name is compared after its escapes, and of equal ones the last counts`(
    document: String, query: String
  ) throws {
    #expect(try found(query, in: document) == "1")
  }

  @Test(arguments: [
    ("$[*]", #"{"j":1,"k":2} [5,3,[{"j":4},{"k":6}]]"#), ("$.o[*]", "1 2"), ("$.o.*", "1 2"),
    ("$.o[*, *]", "1 2 1 2"), ("$.a[*]", #"5 3 [{"j":4},{"k":6}]"#), ("$.o.j[*]", ""),
    ("$.*.*", #"1 2 5 3 [{"j":4},{"k":6}]"#),
    ("$", #"{"o":{"j":1,"k":2},"a":[5,3,[{"j":4},{"k":6}]]}"#),
    ("$..j", "1 4"), ("$..[0]", #"5 {"j":4}"#), ("$..o", #"{"j":1,"k":2}"#), ("$.o..[*, *]", "1 2 1 2"),
    ("$.a..[0, 1]", #"5 3 {"j":4} {"k":6}"#), ("$..['j','k']", "1 2 4 6"),
    ("$.a..*", #"5 3 [{"j":4},{"k":6}] {"j":4} {"k":6} 4 6"#),
    ("$..[2]..j", "4"), ("$..a..j", "4"), ("$..nope", ""), ("$.o.j..*", ""), ("$ ..j", "1 4"),
    ("$..[?@.j]", #"{"j":1,"k":2} {"j":4}"#), ("$..[-1]", #"[{"j":4},{"k":6}] {"k":6}"#),
    ("$..*..j", "1 4 4 4"), ("$.a[2][*]['j', 'k']", "4 6"),
  ])
  func `a wildcard finds all children, and two points all that is below`(query: String, expected: String)
    throws
  {
    #expect(try found(query, in: Self.nested) == expected)
  }

  @Test(arguments: [
    ("$[1]", "b"), ("$[-2]", "f"), ("$[0]", "a"), ("$[-7]", "a"), ("$[7]", ""), ("$[-8]", ""),
    ("$[9007199254740991]", ""), ("$[-9007199254740991]", ""), ("$['0']", ""), ("$[0, 3]", "ad"),
    ("$[0:2, 5]", "abf"), ("$[0, 0]", "aa"),
    ("$[1:3]", "bc"), ("$[5:]", "fg"), ("$[1:5:2]", "bd"), ("$[5:1:-2]", "fd"), ("$[::-1]", "gfedcba"),
    ("$[:]", "abcdefg"), ("$[::]", "abcdefg"), ("$[::2]", "aceg"), ("$[:2]", "ab"), ("$[:-5]", "ab"),
    ("$[-2:]", "fg"),
    ("$[-3:-1]", "ef"), ("$[2:2]", ""), ("$[3:1]", ""), ("$[1:3:-1]", ""), ("$[3:1:-1]", "dc"),
    ("$[::0]", ""),
    ("$[1:3:0]", ""), ("$[:100]", "abcdefg"), ("$[-100:3]", "abc"), ("$[100:3:-1]", "gfe"),
    ("$[-100:100:3]", "adg"),
    ("$[-100::-1]", ""), ("$[:-100:-1]", "gfedcba"), ("$[2::-1]", "cba"), ("$[:2:-1]", "gfed"),
    ("$[-1:0:-3]", "gd"), ("$[100:]", ""),
    ("$[ 1 : 5 : 2 ]", "bd"), ("$[1\n:\t3\r]", "bc"), ("$[::9007199254740991]", "a"),
    ("$[::-9007199254740991]", "g"),
    ("$[-9007199254740991:9007199254740991:1]", "abcdefg"), ("$[1:2,:1,-1]", "bag"),
  ])
  func `an index or a slice finds elements`(query: String, expected: String) throws {
    let found = try JSONPath(query).select(in: parse(Self.letters))
    #expect(found.compactMap(\.string).joined() == expected)
  }

  @Test(arguments: [
    ("$.a", "null"), ("$.a[0]", ""), ("$.a.d", ""), ("$.b[0]", "null"), ("$.b[*]", "null"),
    ("$.b[?@]", "null"),
    ("$.b[?@==null]", "null"), ("$.c[?@.d==null]", ""), ("$.null", "1"), ("$.a[:]", ""), ("$.c[0][:]", ""),
  ])
  func `null is a value like others`(query: String, expected: String) throws {
    #expect(try found(query, in: Self.nulls) == expected)
  }

  @Test(arguments: [
    ("$", true), ("$.a[0]['b'][-1]", true), ("$.*", false), ("$..a", false), ("$[0,0]", false),
    ("$[0:1]", false),
    ("$[?@]", false), ("$.a..['b']", false),
  ])
  func `a query with one name or index at a time is singular`(query: String, isSingular: Bool) throws {
    #expect(try JSONPath(query).isSingular == isSingular)
  }

  @Test func `a part of a document is asked like a whole one`() throws {
    let part = try #require(try parse(#"{"x": {"a": [1, {"a": 2}]}, "a": 9}"#)["x"])
    #expect(try JSONPath("$..a").select(in: part).map(\.minified) == [#"[1,{"a":2}]"#, "2"])
    #expect(try JSONPath("$.a[?@ == $.a[0]]").select(in: part).map(\.minified) == ["1"])
  }
}
