import LedgerForwarding
import LedgerMemory
import Pipeline
import Posix

/// Fails so many calls, then works.
struct FailingLedger: ForwardingLedger {
  enum Call {
    case commit
    case read
  }

  private let memory = MemoryLedger()
  let fault: LedgerError
  /// What fails.
  let call: Call
  let left: Lock<Int>

  init(_ fault: LedgerError, at call: Call = .commit, times: Int = .max) {
    (self.fault, self.call) = (fault, call)
    left = Lock(times)
  }

  func heal() {
    left.withLock { $0 = 0 }
  }

  /// All reads come by here.
  var base: any Ledger {
    get throws(LedgerError) {
      try pass(.read)
      return memory
    }
  }

  func commit(_ changes: Changes, at now: Moment) async throws(LedgerError) -> ChangesMade {
    try pass(.commit)
    return try await memory.commit(changes, at: now)
  }

  private func pass(_ call: Call) throws(LedgerError) {
    guard call == self.call else { return }
    let fails = left.withLock { left in
      defer { left = max(0, left - 1) }
      return left > 0
    }
    if fails { throw fault }
  }
}
