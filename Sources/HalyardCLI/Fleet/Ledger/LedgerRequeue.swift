import Assembly
import LedgerSQLite
import Pipeline

/// `requeue --ledger`: the next run of the same command does the failed jobs of a file again.
struct LedgerRequeue {
  private static let page = 1_000

  private let arguments: ParsedArguments
  private let path: String
  /// nil for all runs in the file.
  private let batch: BatchText?
  /// Empty for all.
  private let kinds: Set<FailureKind>

  /// nil when a fleet is to do it.
  init?(_ arguments: ParsedArguments) throws(UsageError) {
    guard let path = arguments[LedgerOption.file] else { return nil }
    try arguments.refuse(
      FleetOption.link + BatchOption.choice, "--ledger works on a file, and asks no fleet")
    self.arguments = arguments
    self.path = path
    batch = BatchText(arguments)
    kinds = Set(arguments[JobOption.failedKind])
  }

  func run() async throws -> ExitCode {
    let jobs = try await withPresentLedger(at: path) { try await requeue(in: $0) }
    return try BatchCommand.report(jobs, "requeued", of: batch?.id, arguments)
  }

  private func requeue(in ledger: SQLiteLedger) async throws -> UInt64 {
    if let batch { try await FileLedger(ledger: ledger).check(batch) }
    let clock = SystemClock()
    var search = JobSearch()
    (search.batch, search.phase, search.limit) = (batch?.id, .failed, Self.page)
    var jobs: UInt64 = 0
    repeat {
      try Task.checkCancellation()
      let page = try await ledger.jobs(search)
      // The file is locked for this process, so its last owner is gone.
      var changes = Changes(under: try await ledger.owner().term)
      for dead in page.items where kinds.isEmpty || dead.failure.map(kinds.contains) ?? false {
        changes.jobs.append(JobChange(dead.job.id, .requeued))
      }
      jobs += UInt64(try await ledger.commit(changes, at: clock.now).jobs.count(where: \.self))
      search.from = page.next
    } while search.from != nil
    return jobs
  }
}
