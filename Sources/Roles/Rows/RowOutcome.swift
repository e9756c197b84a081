package import JSONQuery
import Pipeline

/// What a row says beside its job: the same for all jobs that ask the same.
enum RowOutcome {
  /// What an attempt came to.
  ///
  /// - Parameter members: JSON members that the steps found, without braces.
  case found(_ members: [UInt8], Failure?, attempts: UInt16, milliseconds: Int64)
  /// What an earlier job came to. `isRenewed`: its server has just said that nothing has changed.
  case cached(CachedAnswer, ageMilliseconds: Int64, isRenewed: Bool = false)

  /// Nothing was found.
  static func failed(_ failure: Failure, attempts: UInt16, milliseconds: Int64) -> RowOutcome {
    .found([], failure, attempts: attempts, milliseconds: milliseconds)
  }

  var failure: FailureKind? {
    switch self {
    case .found(_, let failure, attempts: _, milliseconds: _): failure?.kind
    case .cached(let cached, ageMilliseconds: _, isRenewed: _): cached.failure
    }
  }

  /// Bytes of it that have no small bound.
  var bytes: Int {
    switch self {
    case .found(let members, _, attempts: _, milliseconds: _): members.count
    case .cached(let cached, ageMilliseconds: _, isRenewed: _): cached.json.count
    }
  }

  /// As it is cached: JSON members without braces.
  var json: [UInt8] {
    var row = JSONWriter(reservingCapacity: bytes + RowComposer.typicalBytes)
    write(to: &row)
    return row.bytes
  }

  /// Writes its members into a row.
  func write(to row: inout JSONWriter) {
    switch self {
    case .found(let members, let failure, let attempts, let milliseconds):
      row.member("status", failure.map { $0.kind == .cancelled ? "cancelled" : "failed" } ?? "ok")
      row.members(members)
      failure?.write(to: &row)
      row.member("attempts", attempts)
      row.member("ms", max(0, milliseconds))
    case .cached(let cached, let age, let isRenewed):
      row.members(cached.json)
      row.member("cached", true)
      row.member("age", max(0, age) / 1_000)
      guard isRenewed else { return }
      row.member("revalidated", true)
    }
  }
}

extension JobResult {
  /// - Parameter failure: Why the job fails; the worker's own failure, unless there is more to say.
  func answer(failing failure: Failure?) -> RowOutcome {
    .found(
      members, standsAnyway ? nil : failure, attempts: lease.attempt, milliseconds: Int64(milliseconds))
  }

  /// What its row says should this be the job's end.
  var answer: RowOutcome { answer(failing: failure) }
}

extension Settlement {
  /// The end of a job, with its row.
  ///
  /// - Parameters:
  ///   - lease: The lease it was reached under; nil when it is the aggregator's own decision.
  ///   - end: nil for the one that follows from the answer.
  init(of job: Job, under lease: Lease? = nil, _ answer: RowOutcome, as end: JobLife.End? = nil) {
    self.init(
      of: job, lease: lease, end: end ?? (answer.failure == nil ? .done : .dead), failure: answer.failure,
      row: RowComposer.row(of: job, answer))
    kind = job.kind
  }
}

extension Failure {
  /// As rows have it.
  package func write(to row: inout JSONWriter) {
    row.beginObject("error")
    row.member("kind", kind.rawValue)
    row.member("stage", stage.rawValue)
    row.member("message", message)
    row.member("retryable", retryable)
    row.member("given_up", givenUpHost)
    row.member("refused_address", refusedAddress)
    if let because {
      row.beginObject("because")
      row.member("job", because.job.description)
      row.member("kind", because.kind.rawValue)
      row.endObject()
    }
    row.endObject()
  }
}
