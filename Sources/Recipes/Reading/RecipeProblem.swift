/// Something that keeps a text from being a recipe, and where it stands.
public struct RecipeProblem: Error, Hashable, Sendable {
  /// Counted from 1.
  public var line: Int
  /// Characters (Unicode scalars) from the start of the line, counted from 1.
  public var column: Int
  /// What is wrong, what was expected, and what may have been meant; one line.
  public var message: String
}

/// Everything that keeps a text from being a recipe, in the order of the text.
public struct RecipeProblems: Error, Hashable, Sendable {
  /// At least one.
  public var problems: [RecipeProblem]
}
