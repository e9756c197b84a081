import JSONQuery
import Testing

/// What each part of a query costs, to the step: a part that costs nothing could go on for ever.
struct StepCountTests {
  @Test(arguments: [
    ("$", "1", 0),
    ("$[*]", "[1,2,3]", 4),
    ("$..*", "[[1],{\"a\":2}]", 13),
    ("$.abc", "{\"abc\":1,\"abd\":2,\"longer\":3}", 6),
    ("$['a']", "{\"\\u0061\":1}", 4),
    ("$.abcdefghijklmnopqrstuvwxyz", "{\"abcdefghijklmnopqrstuvwxyz\":1}", 6),
    ("$[2]", "[1,2,3]", 3),
    ("$[-1]", "[1,2,3]", 3),
    ("$[0:2]", "[1,2,3]", 4),
    ("$[?@ == 1]", "[1,\"abcdefghijklmnop\"]", 11),
    ("$[?@ == 'abcdefghijklmnop']", "[1]", 7),
    ("$[?@ == 1234567890123456]", "[1]", 7),
    ("$[?@ == 1]", "[12345678901234567890]", 7),
    ("$[?@ == $[0]]", "[[1,[2]],[1,[2]]]", 16),
    ("$[?@ == $[0]]", "[{\"a\":1,\"abcdefghijklmnop\":2},{\"a\":1}]", 38),
    ("$[?@.a && !@.b || @.c]", "[{\"a\":1}]", 13),
    ("$[?@..*]", "[[1]]", 7),
    ("$[?count(@.*) == 1]", "[[1]]", 6),
    ("$[?value(@.*) == 1]", "[[1]]", 7),
    ("$[?length(@) == 1]", "[\"abcdefghijklmnop\"]", 10),
    ("$[?length(@) == 1]", "[{\"a\":1,\"b\":2}]", 22),
    ("$[?match(@, 'ab*c')]", "[\"abbc\"]", 33),
    ("$[?search(@, 'c|d')]", "[\"abbd\"]", 33),
    ("$[?match('abcd', @)]", "[\"a.*d\"]", 354),
  ])
  func `a query takes exactly so many steps`(query: String, document: String, steps: Int) throws {
    var least = 0
    while (try? found(query, in: document, limits: JSONPathLimits(steps: least))) == nil, least < 10_000 {
      least += 1
    }
    #expect(least == steps, "\(query) \(document)")
  }
}
