package import Pipeline

/// Something that is done with a ledger, in steps short enough to stand between two commits.
package struct LedgerTaskRun: Sendable {
  /// Jobs of a step: some milliseconds.
  static let jobs = 250
  /// Bytes that a step gives back.
  private static let bytes: Int64 = 1 << 20

  package let task: LedgerTask
  package private(set) var report: LedgerReport
  /// The disk has to be waited for.
  package private(set) var isWaiting = false
  /// Batches of which the last step left nothing.
  package private(set) var gone: [LedgerBatch] = []
  /// That of the client's order.
  let id: UUIDv7
  /// When its client asked last how far it is; nil for what the aggregator does by itself.
  var askedAt: Moment?
  private let startedAt: Moment
  private var place: RowPlace?

  /// - Parameter id: Tells two copies apart.
  package init(_ task: LedgerTask, id: UUIDv7, at now: Moment) {
    self.task = task
    self.id = id
    startedAt = now
    report = LedgerReport(of: task)
  }

  package var isOver: Bool { report.state != .working }

  /// It changes nothing, and takes no room.
  var onlyCounts: Bool { if case .forget(let choice, _) = task { choice.onlyCounts } else { false } }

  package mutating func step(on ledger: any Ledger, under term: LedgerTerm) async {
    do throws(LedgerError) {
      switch task {
      case .size: report.state = .done
      case .copy: try await copy(ledger)
      case .forget(let choice, let age):
        do {
          try await forget(choice, age, ledger, term)
        } catch {
          // What makes room needs some.
          guard error.kind == .full, try await ledger.giveUpReserve() else { throw error }
          try await forget(choice, age, ledger, term)
        }
      case .shrink: try await shrink(ledger)
      }
    } catch {
      report.fail(error.message)
    }
  }

  private mutating func copy(_ ledger: any Ledger) async throws(LedgerError) {
    let step = try await ledger.copy(id)
    (report.bytes, report.total, report.path) = (step.bytes, step.total, step.path)
    isWaiting = step.isWaiting
    if step.path != nil { report.state = .done }
  }

  private mutating func forget(
    _ choice: ForgettingChoice, _ age: Int64, _ ledger: any Ledger, _ term: LedgerTerm
  ) async throws(LedgerError) {
    // One millisecond more: also what ended at this moment is over.
    let before = startedAt.advanced(byMilliseconds: age > 0 ? -age : 1)
    let step = try await ledger.forget(
      .chosen(choice), before: before, from: place, limit: Self.jobs, under: term)
    report.jobs = (report.jobs ?? 0) + step.jobs
    (place, gone) = (step.next, step.gone)
    if step.next == nil { report.state = .done }
  }

  private mutating func shrink(_ ledger: any Ledger) async throws(LedgerError) {
    let step = try await ledger.shrink(bytes: Self.bytes)
    report.bytes = (report.bytes ?? 0) + step.bytes
    report.total = step.total
    // A file that another program made may keep its free room.
    if step.total == 0 || step.bytes == 0 { report.state = .done }
  }
}
