import JSONQuery
import Testing

/// RFC 9485, as match() and search() have it.
struct PatternTests {
  @Test(arguments: [
    ("", "", true), ("", "a", false), ("a", "a", true), ("a", "aa", false), ("ab|cd", "cd", true),
    ("ab|cd", "abd", false), ("a|", "", true), ("a||b", "", true),
    ("a(b|c)d", "acd", true), ("()", "", true), ("a*", "aaaa", true), ("a+", "", false), ("a?b", "b", true),
    ("a?b", "aab", false),
    ("a{3}", "aaa", true), ("a{3}", "aaaa", false), ("a{2,}", "a", false), ("a{2,}", "aaaaa", true),
    ("a{1,2}", "aa", true),
    ("a{1,2}", "aaa", false), ("a{0}", "", true), ("a{0}b", "b", true), ("(ab){2}", "abab", true),
    ("(a*)*", "aaa", true), ("(a|b)*c", "ababc", true),
    (".", "a", true), (".", "😀", true), (".", "\n", false), (".", "\r", false), (".", "\u{2028}", true),
    ("..", "\r\n", false), ("..", "e\u{301}", true),
    ("[abc]", "b", true), ("[abc]", "d", false), ("[^abc]", "d", true), ("[^abc]", "\n", true),
    ("[a-c]+", "abc", true), ("[a-c]+", "abd", false),
    ("[-a]", "-", true), ("[a-]", "-", true), ("[^-]", "-", false), ("[--]", "-", true), ("[.]", ".", true),
    ("[.]", "a", false), ("[*+?(){}|$]+", "(*+?|$)", true),
    (#"[\]\[\\\-\^]+"#, #"]-[\^"#, true), (#"[\n\t]+"#, "\t\n", true), ("[a^]", "^", true),
    ("[^]", "^", true), ("[à-ü]", "é", true), ("[😀-😎]", "😅", true),
    (#"\("#, "(", true), (#"a\.b"#, "a.b", true), (#"a\.b"#, "axb", false), (#"\n\r\t"#, "\n\r\t", true),
    (#"\\"#, #"\"#, true), (#"\^\{\}\|"#, "^{}|", true),
    (#"\p{L}+"#, "aÉ日", true), (#"\p{L}"#, "1", false), (#"\p{Lu}\p{Ll}"#, "Éa", true),
    (#"\P{L}+"#, "1 -", true), (#"\P{L}"#, "a", false), (#"\p{Nd}+"#, "19٣", true),
    (#"\p{Zs}"#, "\u{A0}", true), (#"\p{Sc}"#, "€", true), (#"\p{So}"#, "😀", true),
    (#"\p{Mn}"#, "\u{301}", true), (#"\p{C}"#, "\u{0}", true), (#"[\p{L}\p{Nd}_]+"#, "a1_é", true),
    (#"[^\p{L}]"#, "a", false), (#"[\P{L}x]+"#, "x1", true), (#"\p{Pd}"#, "-", true),
    (#"\p{Cn}"#, "\u{378}", true), (",-/<>@'\"", ",-/<>@'\"", true),
    ("^ab$", "ab", true), ("^", "", true), ("$", "", true), ("a^b", "ab", false), ("(^a|b)+$", "ab", true),
    ("[0-9]{4}-[0-9]{2}", "2026-11", true),
  ])
  func `a pattern matches a whole text or does not`(pattern: String, text: String, holds: Bool) throws {
    #expect(try matches(text, pattern, with: "match") == holds)
  }

  @Test(arguments: [
    ("b", "abc", true), ("", "", true), ("", "abc", true), ("c$", "abc", true), ("^b", "abc", false),
    ("^a", "abc", true), ("b$", "abc", false), ("^abc$", "abc", true),
    ("a.c", "xxabcxx", true), ("a.c", "xxabxcx", false), ("z|b", "abc", true), ("(ab)+c", "xababc", true),
    ("a{3}", "aabaaa", true), ("a{3}", "aabaab", false), ("😀", "x😀", true),
    ("$", "abc", true), ("x*$", "abc", true), ("^$", "a", false),
  ])
  func `a pattern is found anywhere in a text`(pattern: String, text: String, holds: Bool) throws {
    #expect(try matches(text, pattern, with: "search") == holds)
  }

  @Test(arguments: [
    "(", ")", "a)", "(a", "[", "]", "[]", "[a", "a]", "*", "+a", "?", "a**", "a+?", "{", "}", "a{", "a{}",
    "a{,2}", "a{2,1}", "a{1", "a{1,2", "a{x}", #"\"#, #"\d"#, #"\w"#, #"\$"#,
    #"\/"#, #"\a"#, #"\p"#, #"\pL"#, #"\p{}"#, #"\p{X}"#, #"\p{Cs}"#, #"\p{Lx}"#, #"\p{Letter}"#, #"\p{L"#,
    #"\u0061"#, "[z-a]", "[a-c-e]", "[[a]]", "[a-[b]]", "[&&[a]]", #"[a-\p{L}]"#, "(?:a)", "(?i)a", "a{1}{2}",
    "[^]]", "[^",
  ])
  func `what is no pattern matches nothing`(pattern: String) throws {
    for text in ["", "a", pattern] {
      #expect(try !matches(text, pattern, with: "match"))
      #expect(try !matches(text, pattern, with: "search"))
    }
  }

  @Test func `a pattern that ruins others costs as much as its text is long`() throws {
    let text = String(repeating: "a", count: 100_000)
    for pattern in ["(a*)*b", "(a|a)*b", "(a+)+b", "(.*)*x(.*)*y", "a{0,50}a{50}b"] {
      #expect(try !matches(text, pattern, with: "match"))
    }
    #expect(try matches(text, "(a?){100}(a*)*", with: "match"))
  }

  @Test(arguments: [
    "a{10001}", "(a{100}){101}", "((a{30}){30}){30}", "a{1073741825}", String(repeating: "(", count: 70),
    "((){9999999}a?){99999}",
  ])
  func `a pattern may need no more than its room`(pattern: String) throws {
    #expect(throws: JSONPathError(.patternTooLarge, at: 11)) { try JSONPath("$[?match(@,'\(pattern)')]") }
    let document = "{\"p\": \"\(pattern)\", \"t\": \"a\"}"
    #expect(throws: JSONPathFailure.patternTooLarge) { try found("$[?search('a', $.p)]", in: document) }
  }

  /// The pattern both as a literal and from the document.
  private func matches(_ text: String, _ pattern: String, with function: String) throws -> Bool {
    var writer = JSONWriter()
    writer.beginArray()
    writer.string(text)
    writer.string(pattern)
    writer.endArray()
    let root = try JSONDocument(parsing: writer.bytes).root
    var literal = JSONWriter()
    literal.string(pattern)
    let quoted = String(decoding: literal.bytes, as: UTF8.self)
    let known = try JSONPath("$[?\(function)($[0], \(quoted))]").select(in: root)
    let computed = try JSONPath("$[?\(function)($[0], $[1])]").select(in: root)
    #expect(known.count == computed.count)
    return !known.isEmpty
  }
}
