import LedgerForwarding
import LedgerMemory
import Pipeline
import Posix

/// Does to a commit what the test says.
struct TamperedLedger: ForwardingLedger {
  enum Tampering {
    case none
    /// Nothing is committed, and every event came too late.
    case allStale
    /// It is committed, and the caller is told that it is not.
    case falseAlarm
  }

  let base: any Ledger = MemoryLedger()
  let tampering: @Sendable ([LedgerEvent]) -> Tampering

  init(_ tampering: @escaping @Sendable ([LedgerEvent]) -> Tampering) {
    self.tampering = tampering
  }

  func commit(_ events: [LedgerEvent], at now: Moment) async throws(LedgerError) -> [LedgerAnswer] {
    switch tampering(events) {
    case .none: return try await base.commit(events, at: now)
    case .allStale: return events.map { _ in .stale }
    case .falseAlarm:
      _ = try await base.commit(events, at: now)
      throw LedgerError("the connection broke")
    }
  }
}
