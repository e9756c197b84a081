import LedgerForwarding
import Pipeline
import Posix

/// A ledger around whose commits a process dies, or which says that a commit failed although it did not.
struct FaultyLedger: ForwardingLedger {
  let base: any Ledger
  let fault: Fault

  func commit(_ changes: Changes, at now: Moment) async throws(LedgerError) -> ChangesMade {
    fault.passes(.beforeCommit)
    if fault.isDue(at: .duringCommit) { endSoon() }
    let made = try await base.commit(changes, at: now)
    if fault.denies(at: .afterCommit) {
      throw LedgerError("write ledger: how it ended is not known", kind: .unreachable)
    }
    fault.passes(.afterCommit)
    return made
  }

  /// At any moment of the next two milliseconds, which a commit takes in all; which one, the number says.
  private func endSoon() {
    let moment = SystemTime.monotonicMicroseconds + Int64(fault.number * 137 % 2_000)
    _ = try? Thread.start(name: "end") {
      while SystemTime.monotonicMicroseconds < moment {}
      fault.end()
    }
  }
}
