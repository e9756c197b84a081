import JSONQuery
package import Pipeline

/// How many failed, by kind.
package struct FailureCounts: Encodable, Hashable, Sendable {
  package private(set) var counts: [FailureKind: Int] = [:]

  package mutating func add(_ kind: FailureKind) { counts[kind, default: 0] += 1 }

  mutating func add(_ others: FailureCounts) { counts.merge(others.counts, uniquingKeysWith: +) }

  /// The most frequent first, equals by name.
  package func encode(to encoder: any Encoder) throws {
    let sorted = counts.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
    try Members(sorted.map { ($0.key.rawValue, $0.value) }).encode(to: encoder)
  }
}

/// What happened to jobs in the last quarter of an hour, in steps of five seconds, and how many failed since the start, by
/// kind. A pure value.
package struct RecentEnds: Sendable {
  package struct Counts: Encodable, Hashable, Sendable {
    /// The time that this covers: less than was asked for when the start is not as long ago.
    package internal(set) var milliseconds: Int64 = 0
    package internal(set) var submitted = 0
    package internal(set) var done = 0
    package internal(set) var failed = 0
    package internal(set) var cancelled = 0
    package internal(set) var failures = FailureCounts()

    private enum CodingKeys: String, CodingKey {
      case milliseconds = "ms"
      case submitted, done, failed, cancelled, failures
    }

    /// Jobs that are over.
    package var ended: Int { done + failed + cancelled }
  }

  private static let stepMilliseconds: Int64 = 5_000
  private static let steps = 180

  private struct Step: Sendable {
    /// Of time since 1970; a step that is out of date is emptied before it is used again.
    var number: Int64 = .min
    var counts = Counts()
  }

  private let start: Moment
  private var ring = Array(repeating: Step(), count: steps)
  /// Since the start.
  package private(set) var failures = FailureCounts()

  package init(at start: Moment) {
    self.start = start
  }

  package mutating func submitted(_ count: Int, at now: Moment) {
    change(at: now) { $0.submitted += count }
  }

  package mutating func ended(_ end: JobLife.End, _ failure: FailureKind?, at now: Moment) {
    change(at: now) { counts in
      switch end {
      case .done: counts.done += 1
      case .cancelled: counts.cancelled += 1
      case .dead:
        counts.failed += 1
        if let failure { counts.failures.add(failure) }
      }
    }
    if end == .dead, let failure { failures.add(failure) }
  }

  private mutating func change(at now: Moment, _ body: (inout Counts) -> Void) {
    let number = Self.number(now)
    let place = Int(number % Int64(Self.steps))
    guard ring.indices.contains(place) else { return }
    if ring[place].number != number { ring[place] = Step(number: number) }
    body(&ring[place].counts)
  }

  /// What the last minutes saw, up to fifteen.
  package func last(minutes: Int64, at now: Moment) -> Counts {
    let wanted = min(Int64(Self.steps), minutes * 60_000 / Self.stepMilliseconds)
    let last = Self.number(now)
    var sum = Counts()
    for step in ring where step.number <= last && step.number > last - wanted {
      sum.submitted += step.counts.submitted
      sum.done += step.counts.done
      sum.failed += step.counts.failed
      sum.cancelled += step.counts.cancelled
      sum.failures.add(step.counts.failures)
    }
    let first = Moment(unixMilliseconds: (last - wanted + 1) * Self.stepMilliseconds)
    sum.milliseconds = max(0, now.milliseconds(since: max(first, start)))
    return sum
  }

  private static func number(_ moment: Moment) -> Int64 { moment.unixMilliseconds / stepMilliseconds }
}
