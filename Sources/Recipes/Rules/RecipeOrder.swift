package import JSONQuery

/// Which call of a run: the step, which of its values, and which page.
package struct CallID: Hashable, Sendable {
  /// The place of the step in the recipe, counted from 0.
  package var step: Int
  /// Which value of `each` it is for, counted from 0.
  package var ordinal = 0
  /// Which page, counted from 1.
  package var page = 1
}

/// What a run wants to be done.
package enum RecipeOrder: Sendable {
  /// Call the address, and read the answer as the step says.
  case call(CallID, url: String)
  /// This call is no longer needed: something failed, or, when that is nil, another call was enough.
  case forget(CallID, because: RecipeFailure?)
  /// The run is over; nothing follows.
  case end(RecipeOutcome)
}

/// How a whole run ended.
package struct RecipeOutcome: Sendable {
  /// How one step ended.
  package enum Ending: Hashable, Sendable {
    case done
    /// Its `when` is false: it handed on what it would have run for.
    case skipped
    case failed(RecipeFailure)
    /// The step named had to end well first, and failed.
    case cancelled(because: String)
  }

  /// How one step ended, and what is to be told of it.
  package struct Step: Sendable {
    package var name: String
    package var ending: Ending
    /// Calls that failed and were left out, with the place of their value in `each`.
    package var leftOut: [(ordinal: Int, failure: RecipeFailure)]
    /// Pages that were left out, and why.
    package var notes: [String]
  }

  /// What the recipe's output came to; nil when something it needs is missing.
  package var value: JSONValue?
  /// Why the run did not end well.
  package var failure: RecipeFailure?
  /// In the order of the recipe.
  package var steps: [Step]
}
