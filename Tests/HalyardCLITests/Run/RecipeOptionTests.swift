import Testing

@testable import HalyardCLI

/// What a recipe's command is told must have an effect.
@Suite struct RecipeOptionTests {
  @Test func `parameters beside --show are refused`() throws {
    let words = ["run", "--show", "--param", "base=http://a.test", "users"]
    guard case .run(let arguments) = try Invocation.parse(words, environment: [:]) else {
      Issue.record("it does not run")
      return
    }
    let error = #expect(throws: UsageError.self) { try RecipeCommand(arguments) }
    #expect(error?.rendered.contains("--show prints the recipe as it is, without --param") == true)
  }

  @Test func `a file whose name says that it is a table is refused`() throws {
    let words = ["run", "--param", "base=http://a.test", "-o", "people.CSV", "users"]
    guard case .run(let arguments) = try Invocation.parse(words, environment: [:]) else {
      Issue.record("it does not run")
      return
    }
    let error = #expect(throws: UsageError.self) {
      try RecipeRunning([], named: "users", told: [], arguments)
    }
    #expect(error?.rendered.contains("a run's output is JSON and not written as .csv") == true)
  }
}
