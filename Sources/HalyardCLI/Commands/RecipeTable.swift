/// The command for recipes.
extension CommandTable {
  static let run = CommandSpec(
    name: "run",
    summary: "Check or show a recipe: a file that describes a chain of calls",
    description: [
      "A recipe is a JSON file of parameters, sections and steps; its form is described in the documentation."
        + " RECIPE is the path of one, or the name of one that is built in: users or feeds.",
      "--check tells everything that is wrong with it, each with its line and column, and exits with 65; --show prints"
        + " it. Recipes cannot be run yet.",
    ],
    operands: .recipe,
    options: [
      RecipeOption.param.spec, RecipeOption.check.spec, RecipeOption.show.spec, .help,
    ],
    examples: [
      Example(command: "halyard run --show users", effect: "a recipe to begin with"),
      Example(command: "halyard run --check mine.json", effect: "is it sound?"),
      Example(
        command: "halyard run --check users --param details=no", effect: "does it have this parameter?"),
    ])
}

/// The options of `run`.
enum RecipeOption {
  static let param = TypedOption<[String]>.repeated(
    OptionLabel(
      name: "param", placeholder: "NAME=VALUE", group: .input,
      summary: "What the recipe is told; checked against its parameters; may be given again"))

  static let check = TypedOption<Bool>.flag(
    OptionLabel(name: "check", group: .general, summary: "Check the recipe, and call nobody"),
    negatable: false)

  static let show = TypedOption<Bool>.flag(
    OptionLabel(name: "show", group: .general, summary: "Print the recipe as it is written"), negatable: false
  )
}
