/// A process that a supervisor keeps running.
public struct ChildPlan: Hashable, Sendable {
  /// What messages call it.
  public var name: String
  public var program: String
  /// Behind the program's name.
  public var arguments: [String]
  /// Smaller ones are stopped first, and have ended before greater ones are told to.
  public var stage: Int

  public init(name: String, program: String, arguments: [String], stage: Int) {
    self.name = name
    self.program = program
    self.arguments = arguments
    self.stage = stage
  }
}
