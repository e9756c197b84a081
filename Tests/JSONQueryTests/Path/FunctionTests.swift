import JSONQuery
import Testing

/// RFC 9535, section 2.4.
struct FunctionTests {
  @Test(arguments: [
    ("length(@.s) == 3", true), ("length(@.emoji) == 2", true), ("length(@.accent) == 2", true),
    ("length(@.escaped) == 2", true),
    ("length(@.l) == 3", true), ("length(@.o) == 2", true), ("length(@.twice) == 1", true),
    ("length(@.n) == 7", false),
    ("length(@.n) == @.absent", true), ("length(@.t) >= 0", false), ("length(@.absent) == 0", false),
    ("length('') == 0", true),
    ("length(\"日本\") == 2", true), ("length(7) == @.absent", true), ("length(@.l) < length(@.s)", false),
    ("length(value(@.l[0])) == @.absent", true), ("length(@) == 9", true), ("1 < length(@.s)", true),
    ("count(@.*) == 9", true), ("count(@.l[*]) == 3", true), ("count(@.absent) == 0", true),
    ("count(@.l) == 1", true),
    ("count(@..*) == 16", true), ("count(@['s','s']) == 2", true), ("count(@.l[?@>1]) == 2", true),
    ("count($) == 1", true),
    ("count(@.l[*]) > count(@.o.*)", true), ("value(@.l[0]) == 1", true), ("value(@..x) == 1", true),
    ("value(@.l[*]) == 1", false), ("value(@.l[*]) == @.absent", true), ("value(@.absent) == @.absent", true),
    ("value(@.l) == @.l", true), ("length( value( @.l ) ) == count( @.l.* )", true),
    ("value(@.l[-1:]) == 3", true),
  ])
  func `length, count and value measure`(test: String, holds: Bool) throws {
    let document = #"""
      [ {"s": "abc", "emoji": "😀a", "accent": "e\u0301", "escaped": "\n\ud83d\ude00", "l": [1, 2, 3], "o": {"x": 1, "y": 2},
         "twice": {"a": 1, "\u0061": 2}, "n": 1234567, "t": true} ]
      """#
    #expect(try JSONPath("$[?\(test)]").select(in: parse(document)).count == (holds ? 1 : 0))
  }

  @Test(arguments: [
    ("match(@, 'a.*')", "a ab abc"), ("search(@, 'b')", "ab abc"), ("match(@, 'b')", ""),
    ("!match(@, 'a.*')", "x 7 null"),
    ("match(@, $[0])", "a"), ("search(@, $[1])", "ab abc"), ("match(@, 7)", ""),
    ("match(@, @)", "a ab abc x"),
    ("match(@, $.nope)", ""), ("match(@, '(')", ""), ("!search(@, '(')", "a ab abc x 7 null"),
    ("match('ab', @)", "ab"),
    ("search('xabx', @) && @ != 'x'", "a ab"), ("match( @ , \"[a-b]+\" )", "a ab"),
    ("match(true, 'true')", ""),
    ("match(@, 'a') || search(@, 'c')", "a abc"), ("match(value($[1]), @)", "ab"),
    ("search(@, length(@))", ""),
  ])
  func `match wants all of a text, search any part`(test: String, expected: String) throws {
    let found = try JSONPath("$[?\(test)]").select(in: parse(#"["a", "ab", "abc", "x", 7, null]"#))
    #expect(found.map { $0.string ?? $0.minified }.joined(separator: " ") == expected)
  }
}
