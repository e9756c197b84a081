enum RecipeOption {
  static let param = TypedOption<[String]>.repeated(
    OptionLabel(
      name: "param", placeholder: "NAME=VALUE", group: .input,
      summary: "Set a parameter of the recipe; may be given again"))

  static let output = TypedOption<String?>.text(
    OptionLabel(
      name: "output", short: "o", placeholder: "FILE", group: .output,
      summary: "Write it to FILE, which stays as it was until all is there"))

  static let deadline = TypedOption<Int64?>.duration(
    LinkOption.limit("deadline", "TIME", "Time limit for the whole run, including all its calls"),
    in: LinkOption.deadlines)

  static let html = TypedOption<String?>.text(
    OptionLabel(
      name: "html", placeholder: "FILE", group: .output,
      summary:
        "Write a page of what was gathered into this file as well: sections as grids, with their pictures"))

  static let row = TypedOption<Bool>.flag(
    OptionLabel(
      name: "row", group: .output, summary: "Print the run's whole row, with how each step ended"),
    negatable: false)

  static let check = TypedOption<Bool>.flag(
    OptionLabel(name: "check", group: .general, summary: "Check the recipe without calling a server"),
    negatable: false)

  static let list = TypedOption<Bool>.flag(
    OptionLabel(name: "list", group: .general, summary: "List the recipes that are built in"),
    negatable: false)

  static let show = TypedOption<Bool>.flag(
    OptionLabel(name: "show", group: .general, summary: "Print the recipe as it is written"), negatable: false
  )
}
