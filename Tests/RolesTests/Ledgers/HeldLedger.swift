import HalyardConcurrency
import LedgerForwarding
import LedgerMemory
import Pipeline

/// The commits of submissions are held up until somebody lets them go on.
actor HeldLedger: ForwardingLedger {
  let base: any Ledger = MemoryLedger()
  private let begun = TaskChannel<Void>(capacity: .conflating)
  private var isOpen = false
  private var held: [CheckedContinuation<Void, Never>] = []
  /// Submissions that are under way or done.
  private(set) var submissions = 0

  /// Returns when a commit is held up.
  nonisolated func holds() async throws { _ = try await begun.receive() }

  /// Holds them up from now on.
  func hold() { isOpen = false }

  func release() {
    isOpen = true
    for one in held { one.resume() }
    held = []
  }

  func commit(_ changes: Changes, at now: Moment) async throws(LedgerError) -> ChangesMade {
    if !changes.submissions.isEmpty {
      submissions += 1
      if !isOpen {
        _ = try? begun.offer(())
        await withCheckedContinuation { held.append($0) }
      }
    }
    return try await base.commit(changes, at: now)
  }
}
