import Posix
import Recipes

/// The command `run`: a recipe, run, checked or shown.
struct RecipeCommand {
  private let file: RecipeFile
  private let arguments: ParsedArguments

  init(_ arguments: ParsedArguments) throws(UsageError) {
    file = RecipeFile(name: arguments.operands.first ?? "")
    self.arguments = arguments
    guard arguments[RecipeOption.list] || !arguments.operands.isEmpty else {
      throw UsageError("no recipe given", usage: arguments.command.usage, next: "halyard run --list")
    }
    guard arguments[RecipeOption.show] else { return }
    try arguments.require(!arguments[RecipeOption.check], "--check and --show are two things")
    try arguments.require(
      arguments[RecipeOption.param].isEmpty, "--show prints the recipe as it is, without --param")
  }

  func run() async throws -> ExitCode {
    if arguments[RecipeOption.list] { return try Program.show(Self.list) }
    let bytes = try file.read()
    if arguments[RecipeOption.show] {
      try DescriptorSink().write(bytes)
      return .ok
    }
    let recipe: Recipe
    do {
      recipe = try Recipe(parsing: bytes)
    } catch {
      for problem in error.problems {
        Message.show(
          Printable.text("\(file.name):\(problem.line):\(problem.column): \(problem.message)") + "\n")
      }
      return .badInput
    }
    let words = arguments[RecipeOption.param]
    do {
      _ = try RecipeArguments(words, for: recipe, needingAll: !arguments[RecipeOption.check])
    } catch {
      throw UsageError.badValue(RecipeOption.param.spec, error.message, command: arguments.command)
    }
    if arguments[RecipeOption.check] {
      return try Program.show("\(Printable.text(file.name)): \(Self.summary(of: recipe))\n")
    }
    return try await RecipeRunning(bytes, named: file.name, told: words, arguments).run()
  }

  private static var list: String {
    let rows = ShippedRecipe.allCases.map { shipped in
      (shipped.rawValue, (try? Recipe(parsing: shipped.file))?.about ?? "")
    }
    return TextLayout.rows(rows, width: HelpPage.width).map { "\($0)\n" }.joined()
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
