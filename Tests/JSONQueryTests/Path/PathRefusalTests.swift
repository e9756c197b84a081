import JSONQuery
import Testing

struct PathRefusalTests {
  @Test(
    arguments: [
      ("", .expectedRoot, 0), (" $", .expectedRoot, 0), ("@", .expectedRoot, 0), ("a", .expectedRoot, 0),
      ("/a", .expectedRoot, 0),
      ("$ ", .expectedSegment, 1), ("$a", .expectedSegment, 1), ("$.a ", .expectedSegment, 3),
      ("$[0] \n", .expectedSegment, 4), ("$$", .expectedSegment, 1),
      ("$.a b", .expectedSegment, 3), ("$.a-b", .expectedSegment, 3), ("$'a'", .expectedSegment, 1),
      ("$.a]", .expectedSegment, 3), ("$,$", .expectedSegment, 1), ("$*", .expectedSegment, 1),
      ("$.", .expectedName, 2), ("$. a", .expectedName, 2), ("$.1", .expectedName, 2),
      ("$.'a'", .expectedName, 2), ("$.-", .expectedName, 2), ("$.[0]", .expectedName, 2),
      ("$.a.", .expectedName, 4),
      ("$.$", .expectedName, 2), ("$.&", .expectedName, 2), ("$..", .expectedNameOrBracket, 3),
      ("$.. a", .expectedNameOrBracket, 3), ("$...a", .expectedNameOrBracket, 3),
      ("$..1", .expectedNameOrBracket, 3),
      ("$[", .expectedSelector, 2), ("$[]", .expectedSelector, 2), ("$[ ]", .expectedSelector, 3),
      ("$[,0]", .expectedSelector, 2), ("$[0,]", .expectedSelector, 4), ("$[a]", .expectedSelector, 2),
      ("$[@]", .expectedSelector, 2), ("$[$]", .expectedSelector, 2), ("$[.a]", .expectedSelector, 2),
      ("$[+1]", .expectedSelector, 2), ("$[[0]]", .expectedSelector, 2), ("$[(0)]", .expectedSelector, 2),
      ("$[0", .expectedCommaOrBracket, 3), ("$[0 1]", .expectedCommaOrBracket, 4),
      ("$['a'", .expectedCommaOrBracket, 5), ("$[1.0]", .expectedCommaOrBracket, 3),
      ("$[1e2]", .expectedCommaOrBracket, 3),
      ("$[0x1]", .expectedCommaOrBracket, 3), ("$[*.a]", .expectedCommaOrBracket, 3),
      ("$[1:2:3:4]", .expectedCommaOrBracket, 7), ("$['a'.b]", .expectedCommaOrBracket, 5),
      ("$[1:a]", .expectedCommaOrBracket, 4),
      ("$[: 1 2]", .expectedCommaOrBracket, 6), ("$['a'b]", .expectedCommaOrBracket, 5),
      ("$[?@.a, @.b]", .expectedSelector, 8),
    ] as [(String, JSONPathError.Reason, Int)])
  func `a malformed segment or selector is refused`(text: String, reason: JSONPathError.Reason, offset: Int) {
    #expect(refusal(of: text) == JSONPathError(reason, at: offset))
  }

  @Test(
    arguments: [
      ("$[01]", .malformedNumber, 2), ("$[-0]", .malformedNumber, 2), ("$[-01]", .malformedNumber, 2),
      ("$[-]", .malformedNumber, 3), ("$[- 1]", .malformedNumber, 3), ("$[00]", .malformedNumber, 2),
      ("$[0:01]", .malformedNumber, 4), ("$[::-0]", .malformedNumber, 4),
      ("$[9007199254740992]", .integerOutOfRange, 2), ("$[-9007199254740992]", .integerOutOfRange, 2),
      ("$[:9007199254740992]", .integerOutOfRange, 3),
      ("$[99999999999999999999999]", .integerOutOfRange, 2),
      ("$[1::-9007199254740992]", .integerOutOfRange, 5),
      ("$[?@==01]", .malformedNumber, 7), ("$[?@==1.]", .malformedNumber, 8),
      ("$[?@==.1]", .expectedOperand, 6), ("$[?@==+1]", .expectedOperand, 6),
      ("$[?@==1e]", .malformedNumber, 8), ("$[?@==-]", .malformedNumber, 7),
      ("$[?@==1e+]", .malformedNumber, 9), ("$[?@==-a]", .malformedNumber, 7),
      ("$[?@==1.e1]", .malformedNumber, 8), ("$[?@==1.0.0]", .expectedOperator, 9),
      ("$['", .unterminatedString, 3), ("$['a", .unterminatedString, 4), ("$[\"a']", .unterminatedString, 6),
      (#"$['\"#, .unterminatedString, 4), (#"$['\u12"#, .unterminatedString, 7),
      (#"$['a\'"#, .unterminatedString, 6),
      (#"$['\"']"#, .malformedEscape, 3), (#"$["\'"]"#, .malformedEscape, 3),
      (#"$['\a']"#, .malformedEscape, 3), (#"$['\x41']"#, .malformedEscape, 3),
      (#"$['\U0041']"#, .malformedEscape, 3), (#"$['\u00G0']"#, .malformedEscape, 7),
      (#"$['\u12']"#, .malformedEscape, 7), (#"$['\0']"#, .malformedEscape, 3),
      (#"$['\uD800']"#, .loneSurrogate, 3), (#"$['\uDC00']"#, .loneSurrogate, 3),
      (#"$['a\uD800\u0041']"#, .loneSurrogate, 4), (#"$['\uD800x']"#, .loneSurrogate, 3),
      ("$['a\nb']", .controlCharacter, 4), ("$[\"\t\"]", .controlCharacter, 3),
      ("$['\0']", .controlCharacter, 3), ("$['é\u{1F}']", .controlCharacter, 5),
    ] as [(String, JSONPathError.Reason, Int)])
  func `a malformed number or string is refused`(text: String, reason: JSONPathError.Reason, offset: Int) {
    #expect(refusal(of: text) == JSONPathError(reason, at: offset))
  }

  @Test(
    arguments: [
      ("$[?]", .expectedTest, 3), ("$[?", .expectedTest, 3), ("$[? ]", .expectedTest, 4),
      ("$[?a]", .expectedTest, 3), ("$[?True]", .expectedTest, 3), ("$[?.a]", .expectedTest, 3),
      ("$[?*]", .expectedTest, 3), ("$[?()]", .expectedTest, 4),
      ("$[?@.a &&]", .expectedTest, 9), ("$[?@.a || ]", .expectedTest, 10), ("$[?&& @.a]", .expectedTest, 3),
      ("$[?(@.a]", .expectedParenthesis, 7), ("$[?(@.a", .expectedParenthesis, 7),
      ("$[?@.a)]", .expectedOperator, 6),
      ("$[?((@.a)]", .expectedParenthesis, 9), ("$[?@.a & @.b]", .expectedOperator, 7),
      ("$[?@.a and @.b]", .expectedOperator, 7), ("$[?@.a = 1]", .expectedOperator, 7),
      ("$[?@.a === 1]", .expectedOperand, 9),
      ("$[?@.a <> 1]", .expectedOperand, 8), ("$[?@.a == ]", .expectedOperand, 10),
      ("$[?@.a == b]", .expectedOperand, 10), ("$[?@.a == (1)]", .expectedOperand, 10),
      ("$[?@.a == !@.b]", .expectedOperand, 10), ("$[?== 1]", .expectedTest, 3),
      ("$[?(@.a) == 1]", .expectedOperator, 9), ("$[?!@.a == 1]", .expectedOperator, 8),
      ("$[?1 < @.a < 3]", .expectedOperator, 11), ("$[?!!@.a]", .expectedQueryOrFunction, 4),
      ("$[?! ]", .expectedQueryOrFunction, 5),
      ("$[?@.a == {}]", .expectedOperand, 10), ("$[?@.a == []]", .expectedOperand, 10),
      ("$[?@.a =~ 'b']", .expectedOperator, 7), ("$[?@.a in $.b]", .expectedOperator, 7),
      ("$[?true]", .literalAlone, 3), ("$[?'a']", .literalAlone, 3), ("$[?1]", .literalAlone, 3),
      ("$[?null && @.a]", .literalAlone, 3), ("$[?@.a || false]", .literalAlone, 10),
      ("$[?!'a']", .literalAlone, 4), ("$[?(1)]", .literalAlone, 4),
      ("$[?@.* == 1]", .notSingular, 3), ("$[?1 == @.*]", .notSingular, 8),
      ("$[?@..a == 1]", .notSingular, 3), ("$[?@[0,1] == 1]", .notSingular, 3),
      ("$[?@[0:1] == 1]", .notSingular, 3), ("$[?@[?@.a] == 1]", .notSingular, 3),
      ("$[?$..* < 1]", .notSingular, 3),
      ("$[?@.a == 1 && @. == 2]", .expectedName, 17), ("$[?@[ == 1]", .expectedSelector, 6),
      ("$[?@a]", .expectedOperator, 4),
    ] as [(String, JSONPathError.Reason, Int)])
  func `a malformed filter is refused`(text: String, reason: JSONPathError.Reason, offset: Int) {
    #expect(refusal(of: text) == JSONPathError(reason, at: offset))
  }

  @Test(
    arguments: [
      ("$[?length(@.*) < 3]", .notSingular, 10), ("$[?count(1) == 1]", .notNodes, 9),
      ("$[?count(foo(@.*)) == 1]", .unknownFunction, 9),
      ("$[?match(@.timezone, 'Europe/.*') == true]", .notComparable, 3),
      ("$[?value(@..color)]", .valueAlone, 3),
      ("$[?length(@)]", .valueAlone, 3), ("$[?!count(@.*)]", .valueAlone, 4),
      ("$[?1 == search(@, 'a')]", .notComparable, 8), ("$[?length(match(@, 'a')) == 1]", .notComparable, 10),
      ("$[?foo(@)]", .unknownFunction, 3),
      ("$[?length2(@) == 1]", .unknownFunction, 3), ("$[?Length(@) == 1]", .expectedTest, 3),
      ("$[?length (@) == 1]", .expectedTest, 3), ("$[?length() == 1]", .expectedOperand, 10),
      ("$[?length(@ == 1]", .expectedParenthesis, 12), ("$[?length(@, @) == 1]", .expectedParenthesis, 11),
      ("$[?count(length(@)) == 1]", .notNodes, 9), ("$[?count(@, @) == 1]", .expectedParenthesis, 10),
      ("$[?value(1) == 1]", .notNodes, 9), ("$[?count('a') == 1]", .notNodes, 9),
      ("$[?match(@)]", .expectedArgument, 10), ("$[?match(@, )]", .expectedOperand, 12),
      ("$[?match(@, 'a', 'b')]", .expectedParenthesis, 15), ("$[?match(@.*, 'a')]", .notSingular, 9),
      ("$[?match(@, @..a)]", .notSingular, 12), ("$[?search()]", .expectedOperand, 10),
      ("$[?length(@.a == 1) == 1]", .expectedParenthesis, 14),
      ("$[?length((@.a)) == 1]", .expectedOperand, 10), ("$[?length(!@.a) == 1]", .expectedOperand, 10),
      ("$.length()", .expectedSegment, 8), ("$[length(@)]", .expectedSelector, 2),
      ("$[?count(@.*]", .expectedParenthesis, 12), ("$[?truth(@)]", .unknownFunction, 3),
      ("$[?true(@)]", .unknownFunction, 3),
    ] as [(String, JSONPathError.Reason, Int)])
  func `a function with the wrong arguments or in the wrong place is refused`(
    text: String, reason: JSONPathError.Reason, offset: Int
  ) {
    #expect(refusal(of: text) == JSONPathError(reason, at: offset))
  }

  @Test func `64 levels are read and 65 are not`() {
    func filters(_ depth: Int) -> String {
      "$" + String(repeating: "[?@", count: depth) + String(repeating: "]", count: depth)
    }
    func parentheses(_ depth: Int) -> String {
      "$[?" + String(repeating: "(", count: depth) + "@" + String(repeating: ")", count: depth) + "]"
    }
    #expect(refusal(of: filters(64)) == nil)
    #expect(refusal(of: filters(65)) == JSONPathError(.tooDeep, at: 195))
    #expect(refusal(of: parentheses(63)) == nil)
    #expect(refusal(of: parentheses(64)) == JSONPathError(.tooDeep, at: 67))
    #expect(refusal(of: "$[?" + String(repeating: "length(", count: 9_000))?.reason == .tooDeep)
    #expect(refusal(of: "$[?" + String(repeating: "!(", count: 30_000))?.reason == .tooDeep)
    #expect(refusal(of: "$" + String(repeating: ".a", count: 30_000)) == nil)
    #expect(refusal(of: "$" + String(repeating: ".a", count: 33_000)) == JSONPathError(.tooLong, at: 65_536))
  }

  @Test func `a message names what was expected and the byte`() {
    #expect(
      refusal(of: "$.a[")?.message == "expected a name in quotes, an index, a slice, '*' or '?' at byte 4")
    #expect(refusal(of: "$.é[0")?.message == "expected ',' or ']' at byte 6")
  }

  @Test(arguments: [
    (
      "$[", "'$[' is not a JSONPath query: expected a name in quotes, an index, a slice, '*' or '?' at byte 2"
    ),
    (
      "items",
      "'items' is neither a JSON Pointer nor a JSONPath query: it must be empty or start with '/' or '$'"
    ),
    ("/~", "'/~' is not a JSON Pointer: '~' must be followed by 0 or 1"),
  ])
  func `a selection says what it is not`(text: String, message: String) {
    let error = #expect(throws: JSONSelectorError.self) { try JSONSelector(text) }
    #expect(error?.message == message)
  }

  @Test func `a selection is a query when it starts with a dollar, and a pointer otherwise`() throws {
    #expect(try JSONSelector("$") == .path(JSONPath("$")))
    #expect(try JSONSelector("") == .pointer(JSONPointer("")))
    #expect(try JSONSelector("/$") == .pointer(JSONPointer("/$")))
    #expect(try JSONSelector("#/a") == .pointer(JSONPointer("/a")))
  }

  private func refusal(of text: String) -> JSONPathError? {
    do {
      _ = try JSONPath(text)
      return nil
    } catch {
      return error
    }
  }
}
