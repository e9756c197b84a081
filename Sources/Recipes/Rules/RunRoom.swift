/// What a run may still take: its steps share it.
struct RunRoom: Sendable {
  var calls = RecipeLimits.callsOfRun
  var bytes = RecipeLimits.bytesOfRun

  mutating func take(_ run: StepRun) {
    calls -= run.called
    bytes -= run.heldBytes
  }

  mutating func add(_ run: StepRun) {
    calls += run.called
    bytes += run.heldBytes
  }

  mutating func take(handedOn bytes: Int) throws(RecipeFailure) {
    guard bytes <= self.bytes else {
      throw .tooLarge("what is handed on takes more than \(RecipeLimits.bytesOfRun >> 20) MiB")
    }
    self.bytes -= bytes
  }
}
