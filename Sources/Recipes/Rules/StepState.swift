/// How far a step of a run is.
package struct StepState: Encodable, Hashable, Sendable {
  package enum Phase: String, Encodable, Hashable, Sendable {
    case waiting
    case running
    case done
    case skipped
    case failed
    case cancelled
  }

  package var name: String
  package var phase: Phase
  /// Calls that have ended, next pages not counted.
  package var ended: Int
  /// Calls that there are; 0 before that is known.
  package var calls: Int
}

extension RecipeRun {
  /// How far each step is, in the order of the recipe.
  package var stepStates: [StepState] {
    recipe.steps.indices.map { index in
      let counts = runs[index]?.counts ?? (ended: 0, total: 0)
      return StepState(
        name: recipe.steps[index].name, phase: phase(of: index), ended: counts.ended, calls: counts.total)
    }
  }

  private func phase(of index: Int) -> StepState.Phase {
    switch progress.states[index] {
    case .waiting: .waiting
    case .running: .running
    case .done: endings[index] == .skipped ? .skipped : .done
    case .failed: .failed
    case .cancelled: .cancelled
    }
  }
}
