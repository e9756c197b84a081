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
  let tampering: @Sendable (Changes) -> Tampering

  init(_ tampering: @escaping @Sendable (Changes) -> Tampering) {
    self.tampering = tampering
  }

  func commit(_ changes: Changes, at now: Moment) async throws(LedgerError) -> ChangesMade {
    switch tampering(changes) {
    case .none: return try await base.commit(changes, at: now)
    case .lateGrants:
      var kept = changes
      kept.jobs.removeAll(where: \.isGrant)
      var made = try await base.commit(kept, at: now)
      var others = made.jobs[...]
      made.jobs = changes.jobs.map { $0.isGrant ? false : others.removeFirst() }
      return made
    case .falseAlarm:
      _ = try await base.commit(changes, at: now)
      throw LedgerError("the connection broke", kind: .unreachable)
    }
  }
}

extension JobChange {
  var isGrant: Bool { if case .granted = event { true } else { false } }
}
