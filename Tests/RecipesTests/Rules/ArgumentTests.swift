import Testing

@testable import Recipes

/// What a recipe is told.
struct ArgumentTests {
  private let parameters =
    #"{"base": {"type": "url"}, "n": {"type": "integer", "default": 3}, "on": {"type": "boolean", "default": false},"#
    + #" "s": {"type": "string", "default": ""}}"#

  private func told(_ words: [String], needingAll: Bool = true) throws -> String {
    let read = try recipe(
      #"{"parameters": \#(parameters), "steps": {"a": {"call": "http://a/"}}, "output": "$base"}"#)
    do throws(RecipeArgumentError) {
      let arguments = try RecipeArguments(words, for: read, needingAll: needingAll)
      return arguments.values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.text)" }.joined(
        separator: " ")
    } catch {
      return error.message
    }
  }

  @Test(arguments: [
    (["base=http://a.test"], "base=http://a.test n=3 on=false s="),
    (["base=a.test/x/", "n=-7", "on=YES", "s=a=b"], "base=http://a.test/x n=-7 on=true s=a=b"),
    (
      ["base=http://ex\u{E4}mple.test/?q=/", "on=0", "on=1"],
      "base=http://xn--exmple-cua.test/?q=/ n=3 on=true s="
    ),
    ([], "no value for 'base': give --param base=…"), (["base"], "'base' is not of the form name=value"),
    (["bsae=x"], "unknown parameter 'bsae' — did you mean 'base'?"),
    (["zzzz=x"], "unknown parameter 'zzzz': there are base, n, on, s"),
    (
      ["base=x", "n=1"],
      "'x' is not a value for 'base': expected an http or https address without a name and password"
    ),
    (
      ["base=http://u:p@a.test"],
      "'http://u:p@a.test' is not a value for 'base': expected an http or https address without a name and password"
    ),
    (["n=1.5"], "'1.5' is not a value for 'n': expected a whole number"),
    (["on=maybe"], "'maybe' is not a value for 'on': expected yes or no"),
  ])
  func `words give values to parameters`(words: [String], told: String) throws {
    #expect(try self.told(words) == told)
  }

  @Test func `what is missing may be given later`() throws {
    #expect(try told(["n=4"], needingAll: false) == "n=4 on=false s=")
  }
}
