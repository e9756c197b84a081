package import Pipeline

/// What a worker process is built with. A program for tests puts in between what fails on purpose.
package struct WorkerFittings: Sendable {
  package var transport: @Sendable (any Transport) -> any Transport = { $0 }
  package var ledger: @Sendable (any Ledger) -> any Ledger = { $0 }
  /// Told of each document that a decoder is about to read.
  package var reading: @Sendable (Document) -> Void = { _ in }
  package var fetching: @Sendable (any Fetching) -> any Fetching = { $0 }
  /// What it says that it is.
  package var program = WorkerProgram(version: halyardVersion)
  /// Changes frames on their way in and out, or drops them; nil for never.
  package var frames: (@Sendable ([UInt8]) -> [UInt8]?)?

  package init() {}
}
