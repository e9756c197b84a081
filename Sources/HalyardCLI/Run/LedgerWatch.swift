import Pipeline
import Posix

/// Measures for how long the ledger has failed, as when the disk is full: the run waits, and no job can be finished.
final class LedgerWatch: Sendable {
  /// A fault that passes sooner is not reported.
  private static let toleratedMilliseconds: Int64 = 1_000

  private struct State {
    /// Of the first failure of a row of them, by the monotonic clock.
    var since: Int64?
    var fault: LedgerError?
  }

  private let state = Lock(State())
  /// nil for a run at a terminal, which waits until the user ends it.
  private let timeoutMilliseconds: Int64?

  init(timeoutMilliseconds: Int64?) {
    self.timeoutMilliseconds = timeoutMilliseconds
  }

  /// An interrupted run has nothing to wait for.
  var isStuck: Bool { waited() > Self.toleratedMilliseconds }

  /// Why the run is given up; nil as long as it is not.
  var givenUp: LedgerError? {
    guard let timeoutMilliseconds, waited() > timeoutMilliseconds else { return nil }
    return state.withLock { $0.fault }
  }

  private func waited() -> Int64 {
    let since = state.withLock { $0.since }
    return since.map { (SystemTime.monotonicMicroseconds - $0) / 1_000 } ?? 0
  }

  /// - Parameter fault: Of a commit or read that is repeated; nil once it succeeded.
  func fails(_ fault: LedgerError?) {
    state.withLock { state in
      state.since = fault == nil ? nil : state.since ?? SystemTime.monotonicMicroseconds
      state.fault = fault
    }
  }
}
