import LedgerForwarding
import LedgerMemory
import Pipeline
import Posix

/// Does to a commit what the test says.
struct TamperedLedger: ForwardingLedger {
  enum Tampering {
    case none
    /// Grants come too late, and nothing else does.
    case lateGrants
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
    case .lateGrants:
      var kept = try await base.commit(events.filter { !$0.isGrant }, at: now)[...]
      return events.map { $0.isGrant ? .stale : kept.removeFirst() }
    case .falseAlarm:
      _ = try await base.commit(events, at: now)
      throw LedgerError("the connection broke")
    }
  }
}

extension LedgerEvent {
  var isGrant: Bool { if case .grant = self { true } else { false } }
}
