import Pipeline
import Scheduling

/// What is done with the ledger for clients, and for the fleet itself, one after another. A pure value.
struct LedgerCare: Sendable {
  /// More wait for nothing.
  static let most = 16
  /// A command asks every second how far it is; without it the work ends.
  private static let silenceMilliseconds: Int64 = 20_000

  private(set) var works: [LedgerTaskRun] = []
  /// The last ones that are over.
  private var ended: [LedgerTaskRun] = []
  private var nextStep: Moment?
  /// What the ledger took when it was looked at last.
  var size: LedgerSize?

  var next: Moment? { works.isEmpty ? nil : nextStep ?? Moment(unixMilliseconds: .min) }

  /// nil when nothing is to be done now.
  func due(at now: Moment) -> LedgerTaskRun? { next.map { $0 <= now } ?? false ? works.first : nil }

  /// How far what was asked for is; nil when it is not known.
  mutating func report(on id: UUIDv7, at now: Moment) -> LedgerReport? {
    guard let index = works.firstIndex(where: { $0.id == id }) else {
      return ended.first { $0.id == id }?.report
    }
    works[index].askedAt = now
    return works[index].report
  }

  mutating func begin(_ run: LedgerTaskRun) {
    works.append(run)
  }

  /// Clients could not ask until now, because the ledger did not work.
  mutating func excuseAll(at now: Moment) {
    for index in works.indices where works[index].askedAt != nil { works[index].askedAt = now }
  }

  /// Ends works whose commands are gone.
  ///
  /// - Returns: The one that was under way; those behind it have begun nothing.
  mutating func dropUnasked(at now: Moment) -> LedgerTaskRun? {
    let first = works.first
    works.removeAll { $0.askedAt.map { now.milliseconds(since: $0) > Self.silenceMilliseconds } ?? false }
    return first?.id == works.first?.id ? nil : first
  }

  /// The first took a step.
  mutating func stepped(_ run: LedgerTaskRun, microseconds: Int64, at now: Moment, isQuiet: Bool) {
    nextStep = CarePace.next(after: microseconds, at: now, isQuiet: isQuiet, isWaiting: run.isWaiting)
    guard let askedAt = works.first.map(\.askedAt) else { return }
    works[0] = run
    works[0].askedAt = askedAt
    guard run.isOver else { return }
    ended.append(works.removeFirst())
    if ended.count > Self.most { ended.removeFirst() }
  }
}
