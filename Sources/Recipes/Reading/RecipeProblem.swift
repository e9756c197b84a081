/// Something that keeps a text from being a recipe, and where it stands.
package struct RecipeProblem: Error, Hashable, Sendable {
  /// Counted from 1.
  package var line: Int
  /// Characters (Unicode scalars) from the start of the line, counted from 1.
  package var column: Int
  /// What is wrong, what was expected, and what may have been meant; one line.
  package var message: String
}

/// Everything that keeps a text from being a recipe, in the order of the text.
package struct RecipeProblems: Error, Hashable, Sendable {
  /// At least one.
  package var problems: [RecipeProblem]
}
