import JSONQuery
import Testing

@testable import Recipes

/// How far a run says that it is.
struct StepStateTests {
  private static let recipe = """
    {"parameters": {"wanted": {"type": "boolean", "default": false}}, "steps": {
      "list": {"call": "http://a.test/list"},
      "each": {"each": "$list", "call": "http://a.test/{input}"},
      "after": {"after": "$each", "call": "http://a.test/end"},
      "more": {"when": "$wanted", "call": "http://a.test/more"}
    }, "output": "$after"}
    """

  private func words(_ run: RecipeRun) -> String {
    run.stepStates.map { "\($0.name) \($0.phase) \($0.ended)/\($0.calls)" }.joined(separator: ", ")
  }

  @Test func `steps wait, run, end, are skipped and cancelled`() throws {
    let recipe = try Recipe(parsing: Array(Self.recipe.utf8))
    var run = try RecipeRun(recipe, with: RecipeArguments([], for: recipe))
    #expect(words(run) == "list waiting 0/0, each waiting 0/0, after waiting 0/0, more waiting 0/0")
    _ = run.started()
    #expect(words(run) == "list running 0/1, each waiting 0/0, after waiting 0/0, more skipped 0/0")
    _ = run.callAnswered(CallID(step: 0), CallAnswer(try json("[1,2]")))
    _ = run.callAnswered(CallID(step: 1, ordinal: 1), CallAnswer(try json("2")))
    #expect(words(run) == "list done 1/1, each running 1/2, after waiting 0/0, more skipped 0/0")
    _ = run.callFailed(CallID(step: 1, ordinal: 0), RecipeFailure(kind: "dns", "no such host"))
    #expect(words(run) == "list done 1/1, each failed 2/2, after cancelled 0/0, more skipped 0/0")
  }
}
