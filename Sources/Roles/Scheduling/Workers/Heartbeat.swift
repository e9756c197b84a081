package import Pipeline

/// How often roles speak when there is nothing to say.
package enum Heartbeat {
  /// Between two HELLOs of a worker.
  package static let helloMilliseconds: Int64 = 2_000
  /// Until a fetcher says which of its new jobs only wait for their servers.
  package static let confirmationMilliseconds: Int64 = 500
  /// A job counts as executing for so long, so that one whose server answers soon always does.
  package static let quickAnswerMilliseconds: Int64 = 250
  /// Until an unanswered message is sent again.
  package static let resendMilliseconds: Int64 = 1_000
  /// A worker that says nothing for so long is taken for dead.
  package static let workerLifeMilliseconds: Int64 = 10_000
  /// A draining decoder that gets nothing for so long will get nothing more.
  package static let quietMilliseconds: Int64 = 300
  /// A live peer speaks again so soon after its lane was cut.
  static let reappearanceMilliseconds: Int64 = 4_000
  /// A turn of the aggregator's loop that seems longer than this was no listening.
  static let longestTurnMilliseconds: Int64 = 2_500
  /// A message that did not arrive within this time is taken for lost.
  static let lostFrameMilliseconds: Int64 = 5_000
  /// How long a worker has at least to speak to an aggregator that has started again. Short, because one that starts
  /// again and again must find out all the same.
  static let reunionMilliseconds: Int64 = 300
  /// The same after so long an absence that lanes are tried again only every two seconds.
  static let lateReunionMilliseconds: Int64 = 3_000
  static let longAbsenceMilliseconds: Int64 = 5_000
  /// How long to ask the decoders for documents that a dead fetcher may have handed over.
  static let searchMilliseconds: Int64 = 20
  /// How long a worker that ends tries to say so.
  package static let farewellMilliseconds: Int64 = 500
  /// Messages taken from an inbox at once.
  package static let burst = 256
}

/// Whether a worker reaches its fleet's aggregator, and when its log is to say so. A pure value.
package struct FleetContact: Hashable, Sendable {
  package enum News: Hashable, Sendable {
    /// It has not been reached for so long.
    case unreached(milliseconds: Int64)
    case lost
    case reached(afterMilliseconds: Int64)
  }

  /// A worker that starts with its aggregator waits a moment for it.
  static let firstMilliseconds: Int64 = 2_000
  /// One that is lost says why after a while, if it does not come back.
  static let lostMilliseconds: Int64 = 10_000
  /// Between two lines that say the same.
  static let againMilliseconds: Int64 = 300_000

  /// nil while the lane is up.
  private var downSince: Moment?
  private var nextTelling: Moment
  private var isTold = false

  package init(at now: Moment) {
    (downSince, nextTelling) = (now, now.advanced(byMilliseconds: Self.firstMilliseconds))
  }

  package mutating func lane(isUp: Bool, at now: Moment) -> News? {
    guard isUp == (downSince != nil) else { return nil }
    guard let since = downSince else {
      (downSince, nextTelling, isTold) = (now, now.advanced(byMilliseconds: Self.lostMilliseconds), true)
      return .lost
    }
    defer { (downSince, isTold) = (nil, false) }
    return isTold ? .reached(afterMilliseconds: now.milliseconds(since: since)) : nil
  }

  package mutating func passed(at now: Moment) -> News? {
    guard let since = downSince, now >= nextTelling else { return nil }
    (nextTelling, isTold) = (now.advanced(byMilliseconds: Self.againMilliseconds), true)
    return .unreached(milliseconds: now.milliseconds(since: since))
  }
}

/// Crashes that were charged because a lane went down. A worker that speaks again did not die, so its charge is taken
/// back. Times are milliseconds of listening.
package struct Suspicions: Sendable {
  /// The job, the lease that it was lost under, and with whom, until when the worker may speak.
  package struct Charge: Hashable, Sendable {
    package var job: JobID
    package var token: LeaseToken
    var worker: WorkerID
    var until: Int64
  }

  /// Few, and in the order in which they end.
  private var open: [Charge] = []

  var count: Int { open.count }
  var nextEnd: Int64? { open.first?.until }

  package func hasAny(of job: JobID) -> Bool { open.contains { $0.job == job } }

  package mutating func charged(
    _ job: JobID, lostUnder token: LeaseToken, with worker: WorkerID, at watched: Int64
  ) {
    let until = watched + Heartbeat.reappearanceMilliseconds
    open.append(Charge(job: job, token: token, worker: worker, until: until))
  }

  /// - Returns: What it did not die of, as it lives.
  package mutating func spoke(_ worker: WorkerID) -> [Charge] {
    guard !open.isEmpty else { return [] }
    defer { open.removeAll { $0.worker == worker } }
    return open.filter { $0.worker == worker }
  }

  /// - Returns: The jobs whose charge stands, as the worker has not spoken since.
  package mutating func confirmed(at watched: Int64) -> [JobID] {
    let past = open.prefix { $0.until <= watched }
    open.removeFirst(past.count)
    return past.map(\.job)
  }
}
