import LedgerMemory
import Pipeline
import Posix

/// Fails so many commits, then works.
struct FailingLedger: ForwardingLedger {
  let base: any Ledger = MemoryLedger()
  let fault: LedgerError
  let left: Lock<Int>

  init(_ fault: LedgerError, times: Int = .max) {
    self.fault = fault
    left = Lock(times)
  }

  func heal() {
    left.withLock { $0 = 0 }
  }

  func commit(_ events: [LedgerEvent], at now: Moment) async throws(LedgerError) -> [LedgerAnswer] {
    let fails = left.withLock { left in
      defer { left = max(0, left - 1) }
      return left > 0
    }
    if fails { throw fault }
    return try await base.commit(events, at: now)
  }
}
