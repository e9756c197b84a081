/// A process that a supervisor keeps running.
public struct ChildPlan: Hashable, Sendable {
  /// What messages call it.
  public var name: String
  public var program: String
  /// Behind the program's name.
  public var arguments: [String]
  /// Children of smaller stages are stopped first, and have ended before those of greater stages are stopped.
  public var stage: Int

  public init(name: String, program: String, arguments: [String], stage: Int) {
    self.name = name
    self.program = program
    self.arguments = arguments
    self.stage = stage
  }
}
