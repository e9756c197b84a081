import JSONQuery
import Testing

@testable import Recipes

/// Pages whose number is known after the first are called side by side.
struct CountedPageTests {
  private static func lists(_ policy: String = "all", most: Int = 100) throws -> Recipe {
    try recipe(
      """
      {"sections": [{"id": "x"}, {"id": "y"}],
       "steps": {"s": {"each": "$sections", "call": "http://h/{input.id}{?page}", "policy": "\(policy)",
                       "next": {"pages": "/t", "most": \(most)}, "select": "/d"}},
       "output": "$s"}
      """)
  }

  private static func answers(_ counts: [String: Int]) -> [String: ScriptedServer.Answer] {
    var answers: [String: ScriptedServer.Answer] = [:]
    for (name, count) in counts {
      for page in 1...count {
        answers["http://h/\(name)?page=\(page)"] = .document(#"{"d":["\#(name)\#(page)"],"t":\#(count)}"#)
      }
    }
    return answers
  }

  @Test func `all but the first are open at once, and stand in their order`() throws {
    for seed in 0..<200 as Range<UInt64> {
      var server = ScriptedServer(Self.answers(["x": 4, "y": 1]))
      let outcome = try server.run(Self.lists(), seed: seed)
      #expect(outcome.value?.minified == #"[["x1","x2","x3","x4"],["y1"]]"#, "seed \(seed)")
      #expect(server.called.count == 5)
      #expect(server.widest >= 3)
    }
  }

  @Test func `no more are called than wanted, and what was left out is told`() throws {
    var server = ScriptedServer(Self.answers(["x": 9, "y": 3]))
    let outcome = try server.run(Self.lists(most: 3), seed: 1)
    #expect(outcome.value?.minified == #"[["x1","x2","x3"],["y1","y2","y3"]]"#)
    #expect(
      outcome.steps[0].notes == [
        "http://h/x?page=1 has more than 3 pages: what stands behind them was left out"
      ])
  }

  @Test func `a list that grows meanwhile is read to its new end, and one that shrinks to its old`() throws {
    var answers = Self.answers(["x": 3, "y": 1])
    answers["http://h/x?page=2"] = .document(#"{"d":["x2"],"t":5}"#)
    answers["http://h/x?page=4"] = .document(#"{"d":["x4"],"t":5}"#)
    answers["http://h/x?page=5"] = .document(#"{"d":[],"t":2}"#)
    for seed in 0..<50 as Range<UInt64> {
      var server = ScriptedServer(answers)
      let outcome = try server.run(Self.lists(), seed: seed)
      #expect(outcome.value?.minified == #"[["x1","x2","x3","x4"],["y1"]]"#, "seed \(seed)")
    }
  }

  @Test func `a page that fails fails its list, and nobody waits for the others`() throws {
    var answers = Self.answers(["x": 30, "y": 2])
    answers["http://h/x?page=7"] = .failure("timeout")
    for seed in 0..<50 as Range<UInt64> {
      var settled = ScriptedServer(answers)
      let outcome = try settled.run(Self.lists("settled"), seed: seed)
      #expect(outcome.value?.minified == #"[["y1","y2"]]"#)
      #expect(outcome.steps[0].leftOut.map(\.failure.kind) == ["timeout"])
      #expect(settled.forgotten.allSatisfy { $0.ordinal == 0 && $0.page > 1 && $0.page != 7 })
      var all = ScriptedServer(answers)
      #expect(try all.run(Self.lists(), seed: seed).endings == "s failed timeout")
      var first = ScriptedServer(answers)
      #expect(try first.run(Self.lists("first"), seed: seed).value?.minified == #"["y1","y2"]"#)
    }
  }

  @Test func `a step makes no more calls than a step may, pages counted`() throws {
    let sections = (0..<20).map { #"{"id": "s\#($0)"}"# }.joined(separator: ",")
    let read = try recipe(
      """
      {"sections": [\(sections)],
       "steps": {"s": {"each": "$sections", "call": "http://h/{input.id}{?page}",
                       "next": {"pages": "", "most": 10000}, "select": "$[*]"}},
       "output": "$s"}
      """)
    var run = try RecipeRun(read, with: RecipeArguments([], for: read))
    var calls = run.started().count
    var outcome: RecipeOutcome?
    for ordinal in 0..<20 where outcome == nil {
      let answer = CallAnswer(try json("[]"), next: .pages(1 << 40))
      for order in run.callAnswered(CallID(step: 0, ordinal: ordinal), answer) {
        switch order {
        case .call: calls += 1
        case .forget: continue
        case .end(let end): outcome = end
        }
      }
    }
    #expect(calls <= RecipeLimits.callsOfStep)
    #expect(outcome?.failure?.kind == "body_too_large")
    #expect(outcome?.failure?.message == "'s' would make more than 100000 calls, pages counted")
  }

  @Test func `what can become no value is not gathered to its end`() throws {
    let read = try recipe(
      #"{"steps": {"s": {"call": "http://h/{?page}", "next": {"pages": "/t"}}}, "output": "$s"}"#
    )
    var run = try RecipeRun(read, with: RecipeArguments([], for: read))
    _ = run.started()
    let large = try json("[\"" + String(repeating: "x", count: 8 << 20) + "\"]")
    var outcome: RecipeOutcome?
    var answered = 0
    for page in 1...100 where outcome == nil {
      answered += 1
      for case .end(let end) in run.callAnswered(
        CallID(step: 0, page: page), CallAnswer(large, next: .pages(100)))
      {
        outcome = end
      }
    }
    #expect(answered == 8)
    #expect(outcome?.failure?.message == "what 's' gathers takes more than 64 MiB")
  }
}
