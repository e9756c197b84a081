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
  private let id: UUIDv7
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

  package mutating func step(on ledger: any Ledger) async {
    do throws(LedgerError) {
      switch task {
      case .size: report.state = .done
      case .copy: try await copy(ledger)
      case .forget(let choice, let age):
        do {
          try await forget(choice, age, ledger)
        } catch {
          // What makes room needs some.
          guard error.kind == .full, try await ledger.giveUpReserve() else { throw error }
          try await forget(choice, age, ledger)
        }
      case .shrink: try await shrink(ledger)
      }
    } catch {
      report.state = .failed(error.message)
    }
  }

  private mutating func copy(_ ledger: any Ledger) async throws(LedgerError) {
    let step = try await ledger.copy(id)
    (report.bytes, report.total, report.path) = (step.copied, step.total, step.path)
    isWaiting = step.isWaiting
    if step.path != nil { report.state = .done }
  }

  private mutating func forget(
    _ choice: ForgettingChoice, _ age: Int64, _ ledger: any Ledger
  ) async throws(LedgerError) {
    // One millisecond more: also what ended at this moment is over.
    let before = startedAt.advanced(byMilliseconds: age > 0 ? -age : 1)
    let step = try await ledger.forget(.chosen(choice), before: before, from: place, limit: Self.jobs)
    report.jobs = (report.jobs ?? 0) + step.jobs
    place = step.next
    if step.next == nil { report.state = .done }
  }

  private mutating func shrink(_ ledger: any Ledger) async throws(LedgerError) {
    let step = try await ledger.shrink(bytes: Self.bytes)
    guard step.isPossible else {
      report.state = .failed(
        "this ledger's file was made before room could be given back while it is in use; stop the fleet, and run"
          + " 'halyard ledger compact --ledger FILE' once")
      return
    }
    report.bytes = (report.bytes ?? 0) + step.released
    report.total = step.left
    if step.left == 0 { report.state = .done }
  }
}
