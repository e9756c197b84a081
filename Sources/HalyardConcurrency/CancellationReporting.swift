/// An error that can say that the work was cancelled, and did not fail.
///
/// Catch all such errors with one word:
///
/// ```swift
/// do { try await work() } catch where error.isCancellation { return } catch { report(error) }
/// ```
public protocol CancellationReporting: Error {
  /// Whether the work was cancelled. Read it as `isCancellation`, which every error has.
  var reportsCancellation: Bool { get }
}

extension Error {
  /// Whether the work was cancelled: true for `CancellationError`, and for each error of this package that says so.
  public var isCancellation: Bool {
    if let error = self as? any CancellationReporting { return error.reportsCancellation }
    return self is CancellationError
  }
}
