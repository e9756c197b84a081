import Recipes

/// The command `run`, as far as it calls nobody.
struct RecipeCommand {
  private let file: RecipeFile
  private let words: [String]
  private let command: CommandSpec
  private let isShown: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    file = RecipeFile(arguments.operands.first ?? "")
    words = arguments[RecipeOption.param]
    command = arguments.command
    isShown = arguments[RecipeOption.show]
    guard isShown != arguments[RecipeOption.check] else {
      throw UsageError(
        "recipes cannot be run yet: give either --check or --show", command: arguments.command)
    }
  }

  func run() throws -> ExitCode {
    let bytes = try file.read()
    if isShown {
      try DescriptorSink().write(bytes)
      return .ok
    }
    do {
      let recipe = try Recipe(parsing: bytes)
      do {
        _ = try RecipeArguments(words, for: recipe, needingAll: false)
      } catch {
        throw UsageError.badValue(RecipeOption.param.spec, error.message, command: command)
      }
      try DescriptorSink().write(Array("\(Printable.text(file.name)): \(Self.summary(of: recipe))\n".utf8))
      return .ok
    } catch let error as RecipeProblems {
      for problem in error.problems {
        Message.show(
          Printable.text("\(file.name):\(problem.line):\(problem.column): \(problem.message)") + "\n")
      }
      return .badInput
    }
  }

  private static func summary(of recipe: Recipe) -> String {
    func counted(_ count: Int, _ thing: String) -> String { "\(count) \(thing)\(count == 1 ? "" : "s")" }
    let parts = [
      counted(recipe.parameters.count, "parameter"), counted(recipe.sections.count, "section"),
      counted(recipe.steps.count, "step"),
    ]
    return "sound: \(parts.joined(separator: ", "))"
  }
}
