import JSONQuery

extension Recipe {
  /// Reads and checks a recipe; when it is not sound, the error names every problem.
  package init(parsing bytes: [UInt8]) throws(RecipeProblems) {
    var reader = RecipeReader(bytes)
    guard let recipe = reader.recipe(in: bytes), reader.problems.isEmpty else {
      let sorted = reader.problems.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
      throw RecipeProblems(problems: Array(sorted.prefix(RecipeLimits.problems)))
    }
    self = recipe
  }
}

extension RecipeReader {
  private static let members = ["about", "parameters", "sections", "steps", "output"]

  fileprivate mutating func recipe(in bytes: [UInt8]) -> Recipe? {
    guard let document = document(bytes) else { return nil }
    for name in document.duplicateKeys(atMost: RecipeLimits.problems) {
      tell("the member '\(shown(name.string ?? ""))' is there twice", at: name)
    }
    let root = document.root
    guard
      let members = members(
        of: root, in: "the recipe", known: Self.members, required: ["steps", "output"])
    else { return nil }
    let about = string(members["about"], "a string", of: "'about'")
    let parameters = members["parameters"].map { self.parameters(in: $0) } ?? []
    let sections = members["sections"].map { self.sections(in: $0) } ?? []
    names.hasSections = members["sections"] != nil
    let steps = members["steps"].map { self.steps(in: $0) } ?? []
    let scope = NameScope(place: "the recipe's output", words: ["sections"])
    let output = members["output"].flatMap { template(in: $0, scope) }
    guard let output else { return nil }
    return Recipe(about: about, parameters: parameters, sections: sections, steps: steps, output: output)
  }

  private mutating func document(_ bytes: [UInt8]) -> JSONDocument? {
    guard bytes.count <= RecipeLimits.longestFile else {
      tell("the file is larger than 1 MiB", at: RecipeLimits.longestFile)
      return nil
    }
    guard !bytes.prefix(4).contains(0), !bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFE, 0xFF])
    else {
      tell("this is not UTF-8; save it as UTF-8", at: 0)
      return nil
    }
    do {
      return try JSONDocument(parsing: bytes, limits: RecipeLimits.file)
    } catch {
      tell(error.reason.rawValue, at: error.offset)
      return nil
    }
  }
}
