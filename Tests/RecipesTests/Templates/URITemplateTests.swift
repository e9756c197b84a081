import Recipes
import Testing

/// Addresses with places for values.
struct URITemplateTests {
  private func expanded(_ template: String, _ values: [String: String]) throws -> String {
    String(decoding: try URITemplate(template).expandedBytes { values[$0] }.bytes, as: UTF8.self)
  }

  @Test(arguments: RFC6570Examples.all)
  func `the examples of the RFC expand as it says`(row: RFC6570Examples.Row) throws {
    #expect(try expanded(row.template, RFC6570Examples.values) == row.expansion)
  }

  @Test(arguments: [
    // Unreserved characters always stand for themselves, reserved ones only where they may.
    ("{v}", "azAZ09-._~", "azAZ09-._~"),
    ("{v}", ":/?#[]@!$&'()*+,;=", "%3A%2F%3F%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D"),
    ("{+v}", ":/?#[]@!$&'()*+,;=", ":/?#[]@!$&'()*+,;="),
    ("{#v}", ":/?#[]@!$&'()*+,;=", "#:/?#[]@!$&'()*+,;="),
    ("{?v}", "a&b=c d", "?v=a%26b%3Dc%20d"), ("{v}", "%41", "%2541"),
    // What is encoded already stays where reserved characters do.
    ("{+v}", "%41%zz%4%", "%41%25zz%254%25"), ("{+v}", "a b\"<>\\^`{|}", "a%20b%22%3C%3E%5C%5E%60%7B%7C%7D"),
    ("{v}", "é€😀", "%C3%A9%E2%82%AC%F0%9F%98%80"), ("{+v}", "ü", "%C3%BC"), ("{v}", "e\u{301}", "e%CC%81"),
    ("{v}", "\0\r\n", "%00%0D%0A"), ("/ü/{v}", "x", "/%C3%BC/x"), ("/%7e'{v}", "x", "/%7e'x"),
    ("{v}{+v}{/v}", "a/", "a%2Fa//a%2F"), ("", "x", ""), ("plain", "x", "plain"),
  ])
  func `characters are encoded where they must be`(template: String, value: String, expansion: String) throws
  {
    #expect(try expanded(template, ["v": value]) == expansion)
  }

  @Test func `names may have dots, underscores and encoded characters`() throws {
    let values = ["a.b": "1", "_x": "2", "%41": "3", "9": "4"]
    #expect(try expanded("{?a.b,_x,%41,9}", values) == "?a.b=1&_x=2&%41=3&9=4")
  }

  @Test func `variables are told with their places`() throws {
    let variables = try URITemplate("é{+base}/{?a.b,c}{base}").variables
    #expect(variables.map(\.name) == ["base", "a.b", "c", "base"])
    #expect(variables.map(\.offset) == [4, 12, 16, 19])
  }

  @Test(arguments: [
    ("{", "the '{' has no '}' at byte 0"), ("ab{c", "the '{' has no '}' at byte 2"),
    ("}", "a '}' without its '{' at byte 0"), ("{a}}", "a '}' without its '{' at byte 3"),
    ("{}", "expected a name of letters, digits, '_' and single dots at byte 1"),
    ("{+}", "expected a name of letters, digits, '_' and single dots at byte 2"),
    ("{a,}", "expected a name of letters, digits, '_' and single dots at byte 3"),
    ("{,a}", "the operators = , ! @ and | are reserved for later: use + # . / ; ? & or none at byte 1"),
    ("{=a}", "the operators = , ! @ and | are reserved for later: use + # . / ; ? & or none at byte 1"),
    ("{|a}", "the operators = , ! @ and | are reserved for later: use + # . / ; ? & or none at byte 1"),
    ("{.a.}", "expected a name of letters, digits, '_' and single dots at byte 4"),
    ("{a..b}", "expected a name of letters, digits, '_' and single dots at byte 3"),
    ("{..a}", "expected a name of letters, digits, '_' and single dots at byte 2"),
    ("{%4}", "expected a name of letters, digits, '_' and single dots at byte 1"),
    ("{a-b}", "expected ',' or '}' at byte 2"), ("{a b}", "expected ',' or '}' at byte 2"),
    ("{a{b}}", "expected ',' or '}' at byte 2"),
    ("{é}", "expected a name of letters, digits, '_' and single dots at byte 1"),
    ("{list*}", "'*' behind a name is of level 4, and templates here go up to level 3 at byte 5"),
    ("{?x,list*}", "'*' behind a name is of level 4, and templates here go up to level 3 at byte 8"),
    ("{var:3}", "':' behind a name is of level 4, and templates here go up to level 3 at byte 4"),
    ("a b", "this character cannot stand in an address: write it as %XX at byte 1"),
    ("é\n", "this character cannot stand in an address: write it as %XX at byte 2"),
    ("<", "this character cannot stand in an address: write it as %XX at byte 0"),
    ("a%4", "'%' must be followed by two hexadecimal digits at byte 1"),
    ("%", "'%' must be followed by two hexadecimal digits at byte 0"),
    (String(repeating: "a", count: 8193), "too long at byte 8192"),
  ])
  func `what is no template is refused with its place`(template: String, message: String) {
    let error = #expect(throws: URITemplateError.self) { try URITemplate(template) }
    #expect(error?.message == message)
  }

  @Test func `a lookup may fail`() throws {
    struct Missing: Error {}
    let template = try URITemplate("{a}")
    #expect(throws: Missing.self) { try template.expandedBytes { _ throws(Missing) in throw Missing() } }
  }
}
