import Testing

/// A rule that every adapter of a port keeps, with its proof. Adapters run a suite's rules as the arguments of one
/// test, so a new rule reaches all of them.
package struct PortRule<Subject: Sendable>: Sendable, CustomTestStringConvertible {
  package let testDescription: String
  private let proof: @Sendable (Subject) async throws -> Void

  init(_ sentence: String, _ proof: @escaping @Sendable (Subject) async throws -> Void) {
    testDescription = sentence
    self.proof = proof
  }

  /// Records an issue for everything the adapter does otherwise.
  ///
  /// - Parameter subject: A fresh adapter of its own.
  package func prove(on subject: Subject) async throws {
    try await proof(subject)
  }
}
