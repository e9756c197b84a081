import Pipeline
import Scheduling

/// What is done with the ledger for clients, and for the fleet itself, one after another. A pure value.
struct LedgerCare: Sendable {
  struct Work: Sendable {
    /// nil for what the aggregator does by itself.
    var query: UUIDv7?
    var askedAt: Moment
    var run: LedgerTaskRun
  }

  /// More wait for nothing.
  static let most = 16
  /// A command asks every second how far it is; without it the work ends.
  private static let silenceMilliseconds: Int64 = 20_000

  private(set) var works: [Work] = []
  /// How the last ones ended, by their questions.
  private var ended: [(query: UUIDv7, report: LedgerReport)] = []
  private var nextStep: Moment?
  /// What the ledger took when it was looked at last.
  var size: LedgerSize?

  var next: Moment? { works.isEmpty ? nil : nextStep ?? Moment(unixMilliseconds: .min) }

  /// nil when nothing is to be done now.
  func due(at now: Moment) -> Work? { next.map { $0 <= now } ?? false ? works.first : nil }

  /// How far what was asked for is; nil when it is not known.
  mutating func asked(_ query: UUIDv7, at now: Moment) -> LedgerReport? {
    if let index = works.firstIndex(where: { $0.query == query }) {
      works[index].askedAt = now
      return works[index].run.report
    }
    return ended.first { $0.query == query }?.report
  }

  mutating func begin(_ run: LedgerTaskRun, for query: UUIDv7?, at now: Moment) {
    works.append(Work(query: query, askedAt: now, run: run))
  }

  /// Clients could not ask until now, because the ledger did not work.
  mutating func excuseAll(at now: Moment) {
    for index in works.indices { works[index].askedAt = now }
  }

  /// - Returns: Work whose command is gone.
  mutating func dropUnasked(at now: Moment) -> [Work] {
    let gone = works.filter {
      $0.query != nil && now.milliseconds(since: $0.askedAt) > Self.silenceMilliseconds
    }
    works.removeAll { work in gone.contains { $0.query == work.query } }
    return gone
  }

  /// The first took a step.
  mutating func stepped(_ run: LedgerTaskRun, microseconds: Int64, at now: Moment, isQuiet: Bool) {
    nextStep = CarePace.next(after: microseconds, at: now, isQuiet: isQuiet, isWaiting: run.isWaiting)
    guard !works.isEmpty else { return }
    works[0].run = run
    guard run.isOver else { return }
    let work = works.removeFirst()
    guard let query = work.query else { return }
    ended.append((query, run.report))
    if ended.count > Self.most { ended.removeFirst() }
  }
}
