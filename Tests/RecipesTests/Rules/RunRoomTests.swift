import PipelineTesting
import Testing

@testable import JSONQuery
@testable import Recipes

/// What a run takes of memory, of calls and of time.
struct RunRoomTests {
  private func run(
    _ steps: String, _ answers: [String: ScriptedServer.Answer], calls: Int = 1_000, bytes: Int = 1 << 20
  ) throws -> (outcome: RecipeOutcome, server: ScriptedServer) {
    var server = ScriptedServer(answers)
    server.room = RunRoom(calls: calls, bytes: bytes)
    return (try server.run(recipe(#"{"steps": {\#(steps)}, "output": null}"#)), server)
  }

  @Test func `a page that is too much has no other behind it`() throws {
    let (outcome, server) = try run(
      #""s": {"call": "http://h/1", "next": {"pointer": "/n"}, "select": "/d"}"#,
      [
        "http://h/1": .document(#"{"d":["12345"],"n":"/2"}"#),
        "http://h/2": .document(#"{"d":["12345"],"n":"/3"}"#),
      ], bytes: 12)
    #expect(outcome.endings == "s failed body_too_large")
    #expect(server.called == ["http://h/1", "http://h/2"])
    #expect(server.forgotten.isEmpty)
  }

  @Test func `pages that are too many are not called, and none of them is forgotten`() throws {
    let (outcome, server) = try run(
      #""s": {"call": "http://h/{?page}", "next": {"pages": "/t"}, "select": "/d"}"#,
      ["http://h/?page=1": .document(#"{"d":[],"t":7}"#)], calls: 6)
    #expect(outcome.failure?.message == "with 's' the run would make more than 200000 calls, pages counted")
    #expect(server.called.count == 1)
  }

  private static let list = #""l": {"call": "http://h/l"}, "#
  private static let answers: [String: ScriptedServer.Answer] = [
    "http://h/l": .document(#"["1","2","3"]"#), "http://h/1": .document("1"), "http://h/2": .document("2"),
    "http://h/3": .document("3"),
  ]

  @Test func `steps share the calls of their run`() throws {
    let steps =
      Self.list
      + #""a": {"each": "$l", "call": "http://h/{input}", "after": "$b"}, "b": {"call": "http://h/1"}"#
    #expect(try run(steps, Self.answers, calls: 5).outcome.endings == "l done, a done, b done")
    let (outcome, server) = try run(steps, Self.answers, calls: 4)
    #expect(outcome.endings == "l done, a failed body_too_large, b done")
    #expect(server.called.count == 2)
  }

  @Test func `steps share the bytes of their run, and one that fails gives its own back`() throws {
    let steps =
      Self.list
      + #""a": {"each": "$l", "call": "http://h/{input}"}, "b": {"after": "$a", "call": "http://h/l"}"#
    // The list takes 13 bytes, each number 1.
    #expect(try run(steps, Self.answers, bytes: 29).outcome.endings == "l done, a done, b done")
    #expect(
      try run(steps, Self.answers, bytes: 28).outcome.endings == "l done, a done, b failed body_too_large")
    var answers = Self.answers
    answers["http://h/3"] = .document(#"["12345678901"]"#)
    let free =
      Self.list
      + #""a": {"each": "$l", "call": "http://h/{input}"}, "b": {"after": "$l", "call": "http://h/1"}"#
    let (outcome, _) = try run(free, answers, bytes: 16)
    #expect(outcome.endings == "l done, a failed body_too_large, b done")
  }

  @Test func `what is put together for each call counts, and what is only found does not`() throws {
    let inputs = [(#"{"all": "$l", "id": "$item"}"#, ".id", 3 * 30), (#""$item""#, "", 0)]
    for (input, member, bytes) in inputs {
      let steps =
        Self.list + #""a": {"each": "$l", "call": "http://h/{input\#(member)}", "input": \#(input)}"#
      let needed = 13 + max(bytes, 3)
      #expect(try run(steps, Self.answers, bytes: needed).outcome.endings == "l done, a done")
      let (outcome, server) = try run(steps, Self.answers, bytes: needed - 1)
      #expect(outcome.endings == "l done, a failed body_too_large")
      #expect(server.called.count == (bytes > 0 ? 1 : 4))
    }
  }

  /// A step of two calls, one of which has ended.
  private func halfDone(_ output: String, _ answer: JSONValue) throws -> RecipeRun {
    let read = try recipe(
      #"{"sections": [{"id": "x"}, {"id": "y"}], "steps": {"s": {"each": "$sections", "call": "http://h/{input.id}",\#(output) "policy": "all"}}, "output": 1}"#
    )
    var run = try RecipeRun(read, with: RecipeArguments([], for: read))
    #expect(run.started().count == 2)
    #expect(run.callAnswered(CallID(step: 0), CallAnswer(answer)).isEmpty)
    return run
  }

  @Test(arguments: [
    "", #" "output": "$value/id","#, #" "output": "$input/id","#, #" "output": ["$value/id"],"#,
  ])
  func `what was taken keeps nothing of the document around it`(output: String) throws {
    var document: JSONValue? = try json(
      #"{"value": {"id": 7}, "more": "\#(String(repeating: "x", count: 1 << 16))"}"#)
    weak let tape = document?.tape
    let run = try halfDone(output, #require(document?["value"]))
    document = nil
    #expect(tape == nil)
    #expect(run.stepStates.map(\.ended) == [1])
  }

  @Test func `a part of the answer does not keep the answer`() throws {
    let long = String(repeating: "x", count: 1 << 16)
    let run = try halfDone(#" "output": "$value/id","#, json(#"{"id": 7, "more": "\#(long)"}"#))
    #expect(run.runs[0]?.heldBytes == 1)
    let held = run.runs[0]?.outputs.map(\.tape.source.count)
    #expect(held == [1])
  }

  @Test func `what is put together is not kept in parts as well`() throws {
    var run = try halfDone("", json("[1]"))
    #expect(run.runs[0]?.outputs.count == 1)
    _ = run.callAnswered(CallID(step: 0, ordinal: 1), CallAnswer(try json("[2]")))
    #expect(run.stepStates.map(\.phase) == [.done])
    #expect(run.runs[0]?.outputs.count == 0)
  }

  /// The time for so many answers, of so many calls with as many pages each.
  private func time(calls: Int, pages: Int) throws -> Duration {
    let sections = (0..<calls).map { #"{"id": "\#($0)"}"# }.joined(separator: ",")
    let read = try recipe(
      #"{"sections": [\#(sections)], "steps": {"s": {"each": "$sections", "call": "http://h/{input.id}{?page}", "next": {"pages": "/t", "most": 10000}}}, "output": 1}"#
    )
    var run = try RecipeRun(read, with: RecipeArguments([], for: read))
    _ = run.started()
    let answer = CallAnswer(try json("[]"), next: .pages(Int64(pages)))
    for call in 0..<calls { _ = run.callAnswered(CallID(step: 0, ordinal: call), answer) }
    return processorTime {
      for call in 0..<calls {
        for page in 2...pages { _ = run.callAnswered(CallID(step: 0, ordinal: call, page: page), answer) }
      }
    }
  }

  @Test func `an answer takes as long among many open pages as among few`() throws {
    var (few, many) = (Duration.seconds(60), Duration.seconds(60))
    for _ in 0..<3 {
      few = min(few, try time(calls: 20, pages: 500))
      many = min(many, try time(calls: 1, pages: 10_000))
    }
    #expect(many < few * 3, "\(many) instead of \(few)")
  }
}
