import JSONQuery

/// What a recipe may cost to read, and what running it may cost at most.
package enum RecipeLimits {
  /// Bytes of a file.
  package static let longestFile = 1 << 20
  static let steps = 200
  static let sections = 1_000
  /// The number of problems to report of one file.
  static let problems = 100
  /// Calls that one step makes, next pages counted.
  package static let callsOfStep = 100_000
  /// Calls that all steps of a run make together.
  package static let callsOfRun = 200_000
  /// Bytes that all steps of a run gather together.
  package static let bytesOfRun = 256 << 20
  /// Bytes of one assembled value.
  package static let longestValue = 64 << 20
  /// How deep a recipe may be nested.
  static let file = JSONLimits(depth: 64, values: 1 << 17)
  /// How deep an assembled value may be nested: what holds the deepest documents must be readable, too.
  static let assembled = JSONLimits(depth: JSONLimits.around.depth)
}
