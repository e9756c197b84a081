package import Pipeline

/// What is asked about a link.
package struct PreviewKey: Hashable, Sendable {
  package var kind: JobKind
  /// In its canonical form.
  package var link: String
  package var language: String?

  package init(_ kind: JobKind, _ link: String, language: String?) {
    (self.kind, self.link, self.language) = (kind, link, language)
  }
}

/// A preview, and where it came from.
package struct FoundPreview: Sendable {
  package enum Origin: String, Sendable {
    case fresh, stale
    /// It was fetched for who asks.
    case waited
  }

  package var preview: KeptPreview
  package var origin: Origin
  /// It is stale, and the last attempt to renew it has not just failed.
  package var mayRenew = false

  package init(_ preview: KeptPreview, _ origin: Origin, mayRenew: Bool = false) {
    (self.preview, self.origin, self.mayRenew) = (preview, origin, mayRenew)
  }
}

/// How long answers are good.
package struct PreviewTimes: Hashable, Sendable {
  package var answersMilliseconds: Int64
  /// Of failures that will be the same tomorrow.
  package var failuresMilliseconds: Int64 = 600_000
  /// Of those that may pass: long enough that a dead host in a busy room is not asked with every message.
  package var passingFailuresMilliseconds: Int64 = 60_000
  /// How long an answer is given that is not fresh any more, while a new one is fetched.
  package var staleMilliseconds: Int64 = 7 * 24 * 3_600_000

  package init(answersMilliseconds: Int64 = 24 * 3_600_000) {
    self.answersMilliseconds = answersMilliseconds
  }

  /// The same for what is kept in a file.
  package var rule: CacheRule {
    CacheRule(answersMilliseconds: answersMilliseconds, failuresMilliseconds: failuresMilliseconds)
  }

  func limit(with problem: Problem?) -> Int64 {
    guard let problem else { return answersMilliseconds }
    return problem.isRetryable ? passingFailuresMilliseconds : failuresMilliseconds
  }
}

/// Answers that were given lately, in memory: what was used least lately makes room for others.
package struct PreviewStore: Sendable {
  private struct Place: Sendable {
    var preview: KeptPreview
    var isUsed = false
    var notRenewedBefore: Moment?
  }

  private let times: PreviewTimes
  private let mostBytes: Int
  private var places: [PreviewKey: Place] = [:]
  /// By when they came, or were last passed over because they had been used.
  private var order = FIFO<PreviewKey>()
  private(set) package var bytes = 0

  package init(times: PreviewTimes = PreviewTimes(), mostBytes: Int = 64 << 20) {
    (self.times, self.mostBytes) = (times, mostBytes)
  }

  package var count: Int { places.count }

  package mutating func find(_ key: PreviewKey, at now: Moment) -> FoundPreview? {
    guard let place = places[key] else { return nil }
    if !place.isUsed { places[key]?.isUsed = true }
    let left = place.preview.freshUntil.milliseconds(since: now)
    if left > 0 { return FoundPreview(place.preview, .fresh) }
    guard isGiven(place.preview, at: now) else { return nil }
    return FoundPreview(place.preview, .stale, mayRenew: place.notRenewedBefore.map { $0 <= now } ?? true)
  }

  private func isGiven(_ stale: KeptPreview, at now: Moment) -> Bool {
    stale.problem == nil && now.milliseconds(since: stale.freshUntil) < times.staleMilliseconds
  }

  /// - Returns: What is given to all who asked for it.
  package mutating func keep(_ row: [UInt8], for key: PreviewKey, at now: Moment) -> KeptPreview {
    let new = KeptPreview(row, freshFor: times, at: now)
    // A fault that may pass does not take the place of an answer that can still be given.
    if new.problem?.isRetryable == true, let known = places[key], isGiven(known.preview, at: now) {
      places[key]?.notRenewedBefore = new.freshUntil
      return new
    }
    if let former = places.updateValue(Place(preview: new), forKey: key) {
      bytes -= former.preview.cost
    } else {
      order.append(key)
    }
    bytes += new.cost
    while bytes > mostBytes, let oldest = order.popFirst() {
      if places[oldest]?.isUsed == true {
        places[oldest]?.isUsed = false
        order.append(oldest)
      } else {
        bytes -= places.removeValue(forKey: oldest)?.preview.cost ?? 0
      }
    }
    return new
  }
}
