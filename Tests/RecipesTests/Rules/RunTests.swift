import JSONQuery
import Testing

@testable import Recipes

/// Runs of recipes against a server in memory.
struct RunTests {
  private func run(
    _ steps: String, output: String, _ answers: [String: ScriptedServer.Answer], parameters: String = "{}",
    arguments: [String] = [], seed: UInt64? = nil
  ) throws -> (outcome: RecipeOutcome, server: ScriptedServer) {
    let read = try recipe(
      #"{"parameters": \#(parameters), "sections": [{"id": "x", "n": 1}, {"id": "y z", "n": true}],"#
        + " \"steps\": {\(steps)}, \"output\": \(output)}")
    var server = ScriptedServer(answers)
    return (try server.run(read, arguments, seed: seed), server)
  }

  @Test func `an output goes into the next call`() throws {
    let (outcome, server) = try run(
      #""a": {"call": "http://h/a", "select": "/user"}, "b": {"call": "http://h/b/{input.id}{?input.name}", "after": "$a"}"#,
      output: #"{"who": "$a/name", "what": "$b$..x", "three": [1.0, null, "$$1", "no $"]}"#,
      [
        "http://h/a": .document(#"{"user":{"id":7,"name":"é/"}}"#),
        "http://h/b/7?input.name=%C3%A9%2F": .document(#"{"x":1,"y":{"x":2}}"#),
      ])
    #expect(outcome.value?.minified == #"{"who":"é/","what":[1,2],"three":[1.0,null,"$1","no $"]}"#)
    #expect(outcome.failure == nil)
    #expect(server.called.count == 2)
  }

  @Test func `the first output that fits is the input`() throws {
    let steps =
      #""a": {"call": "http://h/a"}, "b": {"call": "http://h/b"}, "c": {"call": "http://h/c"}, "#
      + #""d": {"call": "http://h/d/{input.id}", "after": ["$a", "$c", "$b"], "output": "$input"}"#
    let (outcome, server) = try run(
      steps, output: "\"$d\"",
      [
        "http://h/a": .document(#"{"id":null}"#), "http://h/b": .document(#"{"id":2}"#),
        "http://h/c": .document(#"{"id":3}"#), "http://h/d/3": .document("1"),
      ])
    #expect(outcome.value?.minified == #"{"id":3}"#)
    #expect(server.called.suffix(1) == ["http://h/d/3"])
    let (missing, _) = try run(
      steps, output: "\"$a\"",
      [
        "http://h/a": .document(#"{"id":[1]}"#), "http://h/b": .document("[]"),
        "http://h/c": .document("null"),
      ])
    #expect(missing.endings == "a done, b done, c done, d failed missing_input")
    #expect(missing.failure?.message == "'d' has no 'input.id' to call with")
    #expect(missing.value?.minified == #"{"id":[1]}"#)
  }

  @Test func `an explicit input wins, and may mix what there is`() throws {
    let (outcome, server) = try run(
      #""t": {"call": "http://h/t"}, "s": {"each": "$sections", "input": {"i": "$item/id", "t": "$t/token", "p": "$p"},"#
        + #" "call": "http://h{/input.i,input.t,input.p}", "output": ["$input/i", "$item/n", "$value", "$p"]}"#,
      output: #"["$s", "$sections/0/id"]"#,
      [
        "http://h/t": .document(#"{"token":"k"}"#), "http://h/x/k/5": .document("1"),
        "http://h/y%20z/k/5": .document("2"),
      ], parameters: #"{"p": {"type": "integer"}}"#, arguments: ["p=5"])
    #expect(outcome.value?.minified == #"[[["x",1,1,5],["y z",true,2,5]],"x"]"#)
    #expect(server.called.first == "http://h/t")
  }

  @Test func `a failure cancels what depends on it with its cause, and nothing else`() throws {
    let (outcome, server) = try run(
      #""a": {"call": "http://h/a"}, "b": {"call": "http://h/b", "after": "$a"}, "c": {"call": "http://h/c", "input": ["$b"]},"#
        + #" "d": {"call": "http://h/d"}, "e": {"call": "http://h/e", "after": "$d"}"#,
      output: "\"$e\"",
      ["http://h/a": .failure("timeout"), "http://h/d": .document("1"), "http://h/e": .document("2")])
    #expect(outcome.endings == "a failed timeout, b cancelled by a, c cancelled by a, d done, e done")
    #expect(outcome.failure?.kind == "timeout")
    #expect(outcome.value?.minified == "2")
    #expect(Set(server.called) == ["http://h/a", "http://h/d", "http://h/e"])
  }

  @Test(arguments: [
    ("all", "s failed timeout", "nil", 2), ("settled", "s done", "[3,1]", 0), ("first", "s done", "3", 3),
  ])
  func `a policy says when many calls are enough`(
    policy: String, ending: String, value: String, forgotten: Int
  )
    throws
  {
    let (outcome, server) = try run(
      #""l": {"call": "http://h/l"}, "s": {"each": "$l", "call": "http://h/{input}", "policy": "\#(policy)"}"#,
      output: "\"$s\"",
      [
        "http://h/l": .document("[3,2,1,4]"), "http://h/3": .document("3"), "http://h/2": .failure("timeout"),
        "http://h/1": .document("1"), "http://h/4": .failure("dns"),
      ])
    #expect(outcome.endings == "l done, \(ending)")
    #expect((outcome.value?.minified ?? "nil") == value)
    let left = outcome.steps[1].leftOut.map { "\($0.ordinal) \($0.failure.kind)" }
    #expect(left == (policy == "settled" ? ["1 timeout", "3 dns"] : []))
    #expect(server.forgotten.count == forgotten)
  }

  @Test func `a value without what the call needs is a failure of its own`() throws {
    for (policy, ending) in [("settled", "s done"), ("all", "s failed missing_input")] {
      let (outcome, server) = try run(
        #""l": {"call": "http://h/l"}, "s": {"each": "$l/d", "call": "http://h/{input.id}", "policy": "\#(policy)"}"#,
        output: "\"$s\"",
        ["http://h/l": .document(#"{"d":[{"id":1},{},{"id":{}}]}"#), "http://h/1": .document("[1]")])
      #expect(outcome.endings == "l done, \(ending)")
      #expect(server.called == (policy == "all" ? ["http://h/l"] : ["http://h/l", "http://h/1"]))
    }
  }

  @Test func `what is no array cannot be gone through`() throws {
    let (outcome, _) = try run(
      #""l": {"call": "http://h/l"}, "s": {"each": "$l/d", "call": "http://h/{input}"}"#, output: "\"$s\"",
      ["http://h/l": .document(#"{"d":{}}"#)])
    #expect(outcome.failure?.message == "each '$l/d' needs an array, found an object")
    #expect(outcome.value == nil)
  }

  @Test func `pages of many calls are followed side by side`() throws {
    let (outcome, server) = try run(
      #""s": {"each": "$sections", "call": "http://h/{input.n}", "next": {"pointer": "/n", "most": 3}, "select": "/d"}"#,
      output: "\"$s\"",
      [
        "http://h/1": .document(#"{"d":[1],"n":"/1b"}"#), "http://h/1b": .document(#"{"d":[2,3],"n":"/1"}"#),
        "http://h/true": .document(#"{"d":[4],"n":"/t2"}"#),
        "http://h/t2": .document(#"{"d":[],"n":"/t3"}"#), "http://h/t3": .document(#"{"d":[5],"n":"/t4"}"#),
      ])
    #expect(outcome.value?.minified == "[[1,2,3],[4,5]]")
    #expect(
      outcome.steps[0].notes == [
        "page 2 of http://h/1 leads back to one that was read: what stands behind it was left out",
        "http://h/true has more than 3 pages: what stands behind them was left out",
      ])
    #expect(server.widest == 2)
  }

  @Test func `an output that cannot be put together is a failure`() throws {
    let (outcome, _) = try run(
      #""a": {"call": "http://h/a"}"#, output: "\"$a/x\"", ["http://h/a": .document("{}")])
    #expect(outcome.failure?.kind == "decode_mismatch")
    #expect(outcome.failure?.message == "'$a/x': the document has no member 'x'")
  }

  @Test func `a value that is nested too deeply is a failure`() throws {
    let deep = String(repeating: "[", count: 510) + String(repeating: "]", count: 510)
    let steps =
      #""a": {"call": "http://h/a"}, "b": {"call": "http://h/b", "input": [["$a"]], "output": "$input"}"#
    for (output, kind) in [(#""$b""#, nil), (#"[[[[[[[[["$b"]]]]]]]]]"#, "body_too_large")] {
      let answers: [String: ScriptedServer.Answer] = [
        "http://h/a": .document(deep), "http://h/b": .document("1"),
      ]
      #expect(try run(steps, output: output, answers).outcome.failure?.kind == kind)
    }
  }

  @Test func `an address that cannot be called is a failure`() throws {
    let (outcome, _) = try run(
      #""a": {"call": "{+b}"}"#, output: "\"$a\"", [:], parameters: #"{"b": {"type": "string"}}"#,
      arguments: ["b=ftp://h/"])
    #expect(outcome.failure?.kind == "invalid_input")
  }

  @Test func `addresses are made absolute where it is asked`() throws {
    let (outcome, _) = try run(
      #""a": {"call": "http://h/p/a", "absolute": ["$..art", "/one", "/gone"], "select": "/v"}"#,
      output: "\"$a\"",
      [
        "http://h/p/a": .document(
          #"{"v":{"art":["x"],"l":[{"art":"i.png"},{"art":"//c/i"},{"art":null},{"art":"data:x"},{"art":7}],"one":"","k\n":" \u0041"}}"#
        )
      ])
    #expect(
      outcome.value?.minified
        == #"{"art":["x"],"l":[{"art":"http://h/p/i.png"},{"art":"http://c/i"},{"art":null},{"art":null},{"art":7}],"one":"http://h/p/a","k\n":" \u0041"}"#
    )
  }
}
