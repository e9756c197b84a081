/// A chain of calls: its parameters, its steps in their order, and its output.
///
/// Every recipe that exists is sound: its names are known, and its steps wait for each other without a circle.
package struct Recipe: Sendable {
  /// What it is for, in the words of its author.
  package let about: String?
  /// Its parameters, in the order of the file.
  package let parameters: [Parameter]
  /// What a step may run for each of, in the order of the file.
  package let sections: [Section]
  /// In the order of the file, which need not be the order in which they run.
  package let steps: [RecipeStep]
  let output: ValueTemplate

  /// An input of the recipe, which gets its value when the recipe is run.
  package struct Parameter: Hashable, Sendable {
    /// How templates and the command line call it.
    package var name: String
    /// What its value must be.
    package var type: ParameterType
    /// Its value when none is given; nil when one must be given.
    package var fallback: ParameterValue?
    /// What it is for.
    package var about: String?
  }
}
