import Testing

@testable import Recipes

/// Recipes as files.
struct RecipeReadingTests {
  @Test func `every problem is told, in the order of the file`() {
    let text = """
      {
        "parameters": {"base": {"tpye": "url"}, "2x": {"type": "string"}, "n": {"type": "integer", "default": "1"}},
        "sections": [{"id": "a"}, {"title": "b"}, {"id": "a"}, 7],
        "steps": {
          "input": {"call": "http://a/"},
          "n": {"call": "http://a/"},
          "a": {"call": "http://a/", "after": "$b"},
          "b": {"call": "http://a/", "input": "$c"},
          "c": {"call": "http://a/", "each": "$a", "call": "http://b/"},
          "d": {"call": "http://a/{input}", "each": "$d"}
        },
        "ouput": 1
      }
      """
    #expect(
      problems(in: text) == [
        "1:1 the recipe has no 'output'",
        "2:26 the parameter 'base' has no 'type'",
        "2:27 unknown member 'tpye' of the parameter 'base' — did you mean 'type'?",
        "2:43 '2x' cannot be the name of a parameter: expected up to 64 letters, digits and '_', no digit first",
        "2:105 expected a whole number as 'default' of the parameter 'n', found the string \"1\"",
        "3:29 the section has no 'id'",
        "3:52 another section has the id 'a' already",
        "3:58 expected an object such as {\"id\": \"apps\"} as a section, found the number 7",
        "5:5 'input' means something in every recipe, so no step can be called so",
        "6:5 'n' is a parameter already, so no step can be called so",
        "7:5 steps wait for each other in a circle: 'a' → 'b' → 'c' → 'a'",
        "9:46 the member 'call' is there twice",
        "10:5 steps wait for each other in a circle: 'd' → 'd'",
        "12:3 unknown member 'ouput' of the recipe — did you mean 'output'?",
      ])
  }

  @Test func `the recipe's own output is checked`() {
    let text =
      #"{"steps": {"list": {"call": "http://a/"}}, "output": {"a": ["$lits/x", "$$5", "$sections", "$value"]}}"#
    #expect(
      problems(in: text) == [
        "1:61 unknown name '$lits' in the recipe's output — did you mean '$list'?",
        "1:79 '$sections' means nothing in the recipe's output: the recipe has no 'sections'",
        "1:92 '$value' means nothing in the recipe's output",
      ])
    #expect(problems(in: #"{"steps": {}, "output": 1}"#).first?.contains("1 to 200 steps by name") == true)
  }

  @Test func `problems beyond a hundred are not told`() {
    let sections = Array(repeating: "7", count: 200).joined(separator: ",")
    #expect(problems(in: "{\"sections\": [\(sections)]}").count == 100)
  }

  @Test func `a sound recipe is read`() throws {
    let read = try recipe(
      """
      {"about": "x", "parameters": {"base": {"type": "url", "default": "http://a.test/x/"}, "on": {"type": "boolean"}},
       "steps": {
        "list": {"call": "{+base}/l{?page}", "next": {"pages": "/n", "most": 3}, "select": "/d", "require": "/d:array"},
        "login": {"call": "{+base}/login"},
        "each": {"each": "$list$[*].id", "after": ["$login"], "input": {"id": "$item", "token": "$login/t"},
         "call": "{+base}/{input.id}{?input.token}", "order": "completion", "policy": "settled", "when": "$on"}},
       "output": ["$each", {"n": 1.50}]}
      """)
    #expect(read.about == "x")
    #expect(read.parameters.map(\.name) == ["base", "on"])
    #expect(read.parameters.map(\.fallback) == [.string("http://a.test/x"), nil])
    #expect(read.steps.map(\.name) == ["list", "login", "each"])
    #expect(
      read.steps[0].paging?.most == 3 && read.steps[0].select == "/d" && read.steps[0].require == ["/d:array"]
    )
    #expect(read.steps[2].dependencies == [1, 0])
    #expect(
      read.steps[2].order == .completion && read.steps[2].policy == .settled && read.steps[2].isFannedOut)
  }

  @Test func `a circle is found among many steps`() {
    let steps = (0..<200).map { "\"s\($0)\": {\"call\": \"http://a/\", \"after\": \"$s\(($0 + 1) % 200)\"}" }
    let found = problems(in: "{\"steps\": {\(steps.joined(separator: ","))}, \"output\": 1}")
    let circle = ((0..<200).map { "'s\($0)'" } + ["'s0'"]).joined(separator: " → ")
    #expect(found == ["1:12 steps wait for each other in a circle: \(circle)"])
  }

  @Test func `a hostile file is refused in time`() {
    let all = (0..<200).map { "\"$s\($0)\"" }.joined(separator: ",")
    let steps = (0..<200).map { "\"s\($0)\": {\"call\": \"http://a/\", \"after\": [\(all)]}" }
    #expect(problems(in: "{\"steps\": {\(steps.joined(separator: ","))}, \"output\": 1}").count == 100)
    let names = Array(repeating: "\"$\(String(repeating: "s", count: 60))\"", count: 10_000).joined(
      separator: ",")
    let lone = (0..<200).map { "\"s\($0)\": {\"call\": \"http://a/\"}" }.joined(separator: ",")
    #expect(problems(in: "{\"steps\": {\(lone)}, \"output\": [\(names)]}").count == 100)
  }
}
