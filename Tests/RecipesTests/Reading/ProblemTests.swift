import Testing

@testable import Recipes

/// What is wrong with a recipe is told with its place.
struct ProblemTests {
  /// A recipe whose only step has these members besides its call.
  private static func withStep(_ members: String) -> String {
    #"{"parameters": {"base": {"type": "url"}, "big": {"type": "boolean"}}, "sections": [{"id": "a"}],"#
      + "\n\"steps\": {\"one\": {\"call\": \"http://a/\"},\n\"two\": {\(members)}},\n\"output\": \"$two\"}"
  }

  @Test(arguments: [
    ("", "1:1 the document ends too early"), ("[", "1:2 the document ends too early"),
    ("{\n  \"é\" 1}", "2:7 expected ':'"),
    ("[]", "1:1 expected an object as the recipe, found an array"),
    ("\u{FEFF}[]", "1:1 expected an object as the recipe, found an array"),
    ("{\"a\":\r\n\"b\"\r x}", "3:2 expected ',' or '}'"),
  ])
  func `what is no JSON object is refused`(text: String, problem: String) {
    #expect(problems(in: text) == [problem])
  }

  @Test func `other encodings and large files are refused`() {
    #expect(problems(in: [0xFF, 0xFE, 0x7B, 0]) == ["1:1 this is not UTF-8; save it as UTF-8"])
    #expect(problems(in: [0x7B, 0, 0x7D, 0]) == ["1:1 this is not UTF-8; save it as UTF-8"])
    let large = Array(repeating: UInt8(ascii: " "), count: (1 << 20) + 1)
    #expect(problems(in: large) == ["1:1048577 the file is larger than 1 MiB"])
  }

  @Test(arguments: [
    (#""call": 7"#, #"3:17 expected an address as 'call' of the step 'two', found the number 7"#),
    (#""clal": "http://a/""#, "3:9 unknown member 'clal' of the step 'two' — did you mean 'call'?"),
    (#""call": "http://a/{", "each": "$one""#, "3:27 'call' of the step 'two': the '{' has no '}'"),
    (#""call": "http://é/\u00e9\n""#, "3:33 'call' of the step 'two': this character cannot"),
    (#""call": "http://é/\u00e9\ud83d\ude00\/{bas}""#, "3:48 unknown name '{bas}'"),
    (
      #""call": "a/{x}""#,
      "3:17 expected 'http://', 'https://' or a value such as '{+base}' at the start of 'call'"
    ),
    (#""call": "{base}/x""#, "3:17 '{base}' would write ':' and '/' as %3A and %2F: write '{+base}'"),
    (
      #""call": "{+base}/{bas}""#,
      "3:27 unknown name '{bas}' in 'call' of the step 'two' — did you mean 'base'?"
    ),
    (#""call": "{+base}/{base.x}""#, "3:27 the parameter 'base' has no members, so no 'base.x'"),
    (
      #""call": "{+base}/{one}""#,
      "3:27 'one' is a step: name it in 'input', 'each' or 'after', and write '{input}' here"
    ),
    (
      #""call": "{+base}/{input.id}""#,
      "3:27 '{input.id}' has no value: the step 'two' has neither 'each' nor 'after' nor 'input'"
    ),
    (
      #""call": "{+base}/{page}""#,
      "3:27 '{page}' has no value: the step 'two' has no 'next' that counts pages"
    ),
    (
      #""call": "{+base}/", "next": {"pages": "/n"}"#,
      "3:17 'next' counts pages, so 'call' of the step 'two' needs '{page}' or '{?page}'"
    ),
    (
      #""call": "{+base}/{list*}""#,
      "3:31 'call' of the step 'two': '*' behind a name is of level 4, and templates here go up to level 3"
    ),
    (
      #""call": "http://a/", "each": "$on""#,
      "3:38 unknown name '$on' in 'each' of the step 'two' — did you mean '$one'?"
    ),
    (
      #""call": "http://a/", "each": "one""#,
      #"3:38 expected a name such as "$list" or "$list/data" as 'each' of the step 'two', found the string "one""#
    ),
    (
      #""call": "http://a/", "each": "$base""#,
      "3:38 '$base' is a parameter and has one value: 'each' needs a step or '$sections'"
    ),
    (#""call": "http://a/", "each": "$one$..[""#, "3:47 '$..[' is not a JSONPath query: expected"),
    (
      #""call": "http://a/", "each": "$one-x""#,
      "3:43 '-x' is neither a JSON Pointer nor a JSONPath query: it must be empty or start with '/' or '$'"
    ),
    (#""call": "http://a/", "each": "$item""#, "3:38 '$item' means nothing in 'each' of the step 'two'"),
    (
      #""call": "http://a/", "input": {"a": ["$item"]}"#,
      "3:46 '$item' means nothing in 'input' of the step 'two'"
    ),
    (
      #""call": "http://a/", "output": "$input""#, "3:40 '$input' means nothing in 'output' of the step 'two'"
    ),
    (
      #""call": "http://a/", "output": "$""#,
      "3:40 expected a name behind '$'; a dollar sign itself is written '$$'"
    ),
    (
      #""call": "http://a/", "after": ["$one", "one"]"#,
      #"3:48 expected a step such as "$list" in 'after' of the step 'two', found the string "one""#
    ),
    (
      #""call": "http://a/", "after": "$oen""#,
      "3:39 unknown step '$oen' in 'after' of the step 'two' — did you mean '$one'?"
    ),
    (#""call": "http://a/", "after": "$one/x""#, "3:39 unknown step '$one/x' in 'after' of the step 'two'"),
    (
      #""call": "http://a/", "when": "$bgi""#,
      "3:38 unknown parameter '$bgi' as 'when' of the step 'two' — did you mean '$big'?"
    ),
    (
      #""call": "http://a/", "when": "$base""#,
      "3:38 'when' of the step 'two' needs a boolean parameter, and '$base' is of type url"
    ),
    (
      #""call": "http://a/", "when": true"#,
      #"3:38 expected a boolean parameter such as "$details" as 'when' of the step 'two', found true"#
    ),
    (
      #""call": "http://a/", "require": ["/a:array", "/b:int"]"#,
      "3:54 '/b:int' does not end in a type: write PATH:TYPE"
    ),
    (
      #""call": "http://a/", "require": {}"#,
      "3:41 expected PATH:TYPE as 'require' of the step 'two', found an object"
    ),
    (#""call": "http://a/", "select": "data""#, "3:40 'data' is neither a JSON Pointer nor a JSONPath query"),
    (#""call": "http://a/", "absolute": "$[?""#, "3:46 '$[?' is not a JSONPath query: expected"),
    (
      #""call": "http://a/", "order": "source""#,
      "3:39 'order' is for steps with 'each', and the step 'two' has none"
    ),
    (
      #""call": "http://a/", "each": "$one", "policy": "settle""#,
      #"3:56 expected 'all', 'settled' or 'first' as 'policy' of the step 'two', found the string "settle" — did you mean 'settled'?"#
    ),
    (
      #""call": "http://a/", "next": {}"#,
      "3:38 'next' of the step 'two' needs exactly one of 'pointer', 'link' and 'pages'"
    ),
    (
      #""call": "http://a/", "next": {"pointer": "/n", "link": "next"}"#,
      "3:38 'next' of the step 'two' needs exactly one of 'pointer', 'link' and 'pages'"
    ),
    (
      #""call": "http://a/", "next": {"link": "next", "most": 0}"#,
      "3:63 expected a whole number from 1 to 10000 as 'most' of 'next' of the step 'two', found the number 0"
    ),
    (
      #""call": "http://a/", "next": {"pointer": "$..n"}"#,
      "3:50 '$..n' may find many values: expected a JSON Pointer or a query for one"
    ),
  ])
  func `a step that is not sound is told`(members: String, problem: String) throws {
    let found = problems(in: Self.withStep(members))
    #expect(found.contains { $0.hasPrefix(problem) }, "\(found)")
  }
}
