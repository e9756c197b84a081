import JSONQuery
import Testing

struct RefusalTests {
  @Test(
    arguments: [
      ("01", .malformedNumber, 1), ("-01", .malformedNumber, 2), ("00", .malformedNumber, 1),
      ("-", .endsTooEarly, 1), ("-a", .malformedNumber, 1), ("1.", .endsTooEarly, 2),
      ("[1.]", .malformedNumber, 3),
      ("1.e1", .malformedNumber, 2), ("1e", .endsTooEarly, 2), ("1e+", .endsTooEarly, 3),
      ("[1e]", .malformedNumber, 3), ("1e1.5", .contentAfterValue, 3), ("1.2.3", .contentAfterValue, 3),
      ("--1", .malformedNumber, 1), ("0x1F", .contentAfterValue, 1), ("1_000", .contentAfterValue, 1),
      ("+1", .expectedValue, 0), (".5", .expectedValue, 0), ("NaN", .expectedValue, 0),
      ("Infinity", .expectedValue, 0), ("-Infinity", .malformedNumber, 1), ("١", .expectedValue, 0),
      ("[1 000]", .expectedCommaOrBracket, 3), ("1 2", .contentAfterValue, 2),
    ] as [(String, JSONError.Reason, Int)])
  func `a malformed number is refused`(text: String, reason: JSONError.Reason, offset: Int) {
    #expect(refusal(of: text) == JSONError(reason, at: offset))
  }

  @Test(
    arguments: [
      (#"""#, .endsTooEarly, 1), (#""abc"#, .endsTooEarly, 4), (#""\"#, .endsTooEarly, 2),
      (#""\""#, .endsTooEarly, 3), (#""\u12"#, .endsTooEarly, 5), (#""\u12""#, .malformedEscape, 5),
      (#""\x41""#, .malformedEscape, 1), (#""\'""#, .malformedEscape, 1), (#""\U0041""#, .malformedEscape, 1),
      (#""\u00G0""#, .malformedEscape, 5), (#""\u 041""#, .malformedEscape, 3),
      (#""\é""#, .malformedEscape, 1),
      (#""\ud800""#, .loneSurrogate, 1), (#""\udc00""#, .loneSurrogate, 1),
      (#""\ud800x""#, .loneSurrogate, 1),
      (#""\ud800\u0041""#, .loneSurrogate, 1), (#""\ud800\ud800""#, .loneSurrogate, 1),
      (#""\udc00\ud800""#, .loneSurrogate, 1), (#""\ud800\n""#, .loneSurrogate, 1),
      (#""\ud83d\ude0"#, .endsTooEarly, 12), ("\"\n\"", .controlCharacter, 1),
      ("\"a\tb\"", .controlCharacter, 2),
      ("[\"a\u{0}\"]", .controlCharacter, 3), ("\"\u{1F}\"", .controlCharacter, 1),
      ("'a'", .expectedValue, 0),
      ("“a”", .expectedValue, 0), (#""a"b"#, .contentAfterValue, 3),
    ] as [(String, JSONError.Reason, Int)])
  func `a malformed string is refused`(text: String, reason: JSONError.Reason, offset: Int) {
    #expect(refusal(of: text) == JSONError(reason, at: offset))
  }

  @Test(
    arguments: [
      ("", .endsTooEarly, 0), ("  ", .endsTooEarly, 2), ("\u{FEFF}", .endsTooEarly, 3),
      ("[", .endsTooEarly, 1),
      ("{", .endsTooEarly, 1), ("[1", .endsTooEarly, 2), ("[1,", .endsTooEarly, 3),
      (#"{"a""#, .endsTooEarly, 4),
      (#"{"a":"#, .endsTooEarly, 5), (#"{"a":1"#, .endsTooEarly, 6), ("tru", .endsTooEarly, 3),
      ("]", .expectedValue, 0), ("}", .expectedValue, 0), ("[1,]", .expectedValue, 3),
      ("[,1]", .expectedValue, 1),
      ("[1,,2]", .expectedValue, 3), ("[1}", .expectedCommaOrBracket, 2),
      (#"["a":1]"#, .expectedCommaOrBracket, 4),
      ("[1 2]", .expectedCommaOrBracket, 3), (#"{"a":1]"#, .expectedCommaOrBrace, 6),
      (#"{"a":1 "b":2}"#, .expectedCommaOrBrace, 7), (#"{"a":1,}"#, .expectedKey, 7),
      ("{1:1}", .expectedKey, 1),
      ("{a:1}", .expectedKey, 1), ("{'a':1}", .expectedKey, 1), ("{,}", .expectedKey, 1),
      ("{[]:1}", .expectedKey, 1),
      (#"{"a" 1}"#, .expectedColon, 5), (#"{"a"}"#, .expectedColon, 4), (#"{"a"::1}"#, .expectedValue, 5),
      (#"{"a":}"#, .expectedValue, 5), ("[]]", .contentAfterValue, 2), ("[] x", .contentAfterValue, 3),
      ("{}{}", .contentAfterValue, 2), ("1//x", .contentAfterValue, 1), ("/* x */1", .expectedValue, 0),
      ("True", .expectedValue, 0), ("nul1", .expectedValue, 0), ("nulll", .contentAfterValue, 4),
      ("undefined", .expectedValue, 0), ("<html>", .expectedValue, 0), (")]}'\n{}", .expectedValue, 0),
      ("\u{A0}1", .expectedValue, 0), ("\u{B}1", .expectedValue, 0), ("1\u{C}", .contentAfterValue, 1),
      ("[\u{FEFF}1]", .expectedValue, 1), ("1\u{0}", .contentAfterValue, 1),
    ] as [(String, JSONError.Reason, Int)])
  func `a malformed structure is refused`(text: String, reason: JSONError.Reason, offset: Int) {
    // A NUL among the first bytes means UTF-16; a blank in front keeps the rows about UTF-8.
    let padding = text.utf8.count < 4 && text.contains("\0") ? "   " : ""
    #expect(refusal(of: padding + text) == JSONError(reason, at: offset + padding.utf8.count))
  }

  @Test(
    arguments: [
      ("a continuation alone", [0x80]), ("an overlong slash", [0xC0, 0xAF]),
      ("an overlong NUL", [0xC1, 0x80]),
      ("an overlong three", [0xE0, 0x9F, 0xBF]), ("an overlong four", [0xF0, 0x8F, 0xBF, 0xBF]),
      ("a surrogate", [0xED, 0xA0, 0x80]), ("past U+10FFFF", [0xF4, 0x90, 0x80, 0x80]),
      ("a byte of no use", [0xFF]),
      ("a lead of five", [0xF8, 0x88, 0x80, 0x80, 0x80]), ("a cut sequence", [0xE6, 0x97]),
      ("an early end", [0xF0, 0x9F, 0x98]), ("Latin-1", [0xE9, 0x61]),
    ] as [(String, [UInt8])])
  func `malformed UTF-8 in a string is refused`(name: String, bytes: [UInt8]) {
    #expect(refusal(of: [0x22, 0x61] + bytes + [0x22]) == JSONError(.malformedUTF8, at: 2), "\(name)")
    #expect(refusal(of: [0x22, 0x61] + bytes)?.offset == 2, "\(name), at the end of the input")
  }

  @Test func `a message names what was expected and the byte`() {
    #expect(refusal(of: #"{"data": [1, 2] "x": 1}"#)?.message == "expected ',' or '}' at byte 16")
  }
}
