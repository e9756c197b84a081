/// A process that a supervisor keeps running.
package struct ChildPlan: Hashable, Sendable {
  /// What messages call it.
  package var name: String
  package var program: String
  /// Behind the program's name.
  package var arguments: [String]
  /// Children of smaller stages are stopped first, and have ended before those of greater stages are stopped.
  package var stage: Int

  package init(name: String, program: String, arguments: [String], stage: Int) {
    self.name = name
    self.program = program
    self.arguments = arguments
    self.stage = stage
  }

  /// A child that is one of several alike: `fetcher 2`.
  package static func name(_ kind: String, _ number: Int) -> String { "\(kind) \(number)" }

  /// The number in the name of a child of this kind; nil for any other.
  package func number(as kind: String) -> Int? {
    guard name.hasPrefix("\(kind) ") else { return nil }
    return Int(name.dropFirst(kind.count + 1))
  }
}
