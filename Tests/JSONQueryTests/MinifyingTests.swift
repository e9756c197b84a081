import JSONQuery
import Testing

struct MinifyingTests {
  @Test(arguments: [
    (" 1 ", "1"), ("[ ]", "[]"), ("{ }", "{}"), ("[ 1 ,\n\t2 ]\r\n", "[1,2]"),
    (#"{ "a b" : " c \" d " , "e\\" : [ ] }"#, #"{"a b":" c \" d ","e\\":[]}"#),
    ("\u{FEFF}[ \"\u{2028}\" ]", "[\"\u{2028}\"]"), (#"[1.0e+05, "\u0041"]"#, #"[1.0e+05,"\u0041"]"#),
  ])
  func `insignificant white space goes and all else stays`(text: String, expected: String) throws {
    #expect(try parse(text).minified == expected)
  }

  @Test func `a part of a document is written alone`() throws {
    #expect(try parse(#"{"a": [ 1, { "b" : 2 } ], "c": 3}"#)["a"]?.minified == #"[1,{"b":2}]"#)
    #expect(try parse(#"{"a":[1,2],"c":3}"#)["a"]?.minified == "[1,2]")
  }

  @Test func `mutated documents never trap and what is accepted survives minifying`() throws {
    let seeds = [
      #"{"page": 1, "data": [{"id": 7, "email": "a@b.test", "ok": true}, {"id": -0.5e+10}], "next": null}"#,
      #"[ "\ud83d\ude00 \u00e9 é 日本", "\\ \" \/", [[[ ]]], {"a": {"b": {}}}, 1E5, false ]"#,
      "\u{FEFF}\t{ \"k\" : [ 0, -1, 2.25 ] }\r\n",
    ].map { Array($0.utf8) }
    let tokens =
      Array(#"{}[]",:\u0eE+-.19tfn /"#.utf8) + [0x00, 0x0A, 0x1F, 0x80, 0xC3, 0xE2, 0xED, 0xF0, 0xFF]
    var random = SplitMix(state: 0x5EED)
    var accepted = 0
    for round in 0..<100_000 {
      var bytes = seeds[round % seeds.count]
      for _ in 0...random.below(3) { mutate(&bytes, with: tokens, using: &random) }
      guard let document = try? JSONDocument(parsing: bytes) else { continue }
      accepted += 1
      var once: [UInt8] = []
      document.root.writeMinified(into: &once)
      var twice: [UInt8] = []
      try JSONDocument(parsing: once).root.writeMinified(into: &twice)
      guard once == twice else {
        Issue.record("round \(round) changed when minified again")
        return
      }
    }
    #expect(accepted > 10_000)
  }

  private func mutate(_ bytes: inout [UInt8], with tokens: [UInt8], using random: inout SplitMix) {
    let at = random.below(bytes.count)
    switch random.below(5) {
    case 0: bytes[at] = tokens[random.below(tokens.count)]
    case 1: bytes.insert(tokens[random.below(tokens.count)], at: at)
    case 2: if bytes.count > 1 { bytes.remove(at: at) }
    case 3:
      bytes.insert(
        contentsOf: bytes[at..<min(bytes.count, at + random.below(12))], at: random.below(bytes.count))
    default: if random.below(8) == 0 { bytes.removeSubrange((at + 1)...) } else { bytes.insert(0x20, at: at) }
    }
  }
}
