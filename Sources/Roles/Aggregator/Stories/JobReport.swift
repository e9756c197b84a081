import JSONQuery
import Pipeline
import Scheduling

/// What became of a job, as one JSON object of the schema `halyard.job/1`.
struct JobReport {
  /// What is next for a job that is not over.
  enum Expectation: Hashable {
    case standing(JobStanding, inLine: Int)
    case retry(at: Moment)
    /// A run waits for its calls.
    case calls
    case cancellation(String)
    /// Nothing more is given out.
    case end
  }

  static let schema = "halyard.job/1"
  /// Rows that a report has in it; larger ones are left to `results`.
  private static let longestRow = 1 << 20

  var story: JobStory
  var now: Moment
  /// nil when it is over.
  var expectation: Expectation?

  var json: [UInt8] {
    let row = story.row.flatMap { $0.count <= Self.longestRow ? $0 : nil }
    return JSONWriter.object(reservingCapacity: 1_024 + (row?.count ?? 0)) { report in
      report.member("schema", Self.schema)
      story.history.write(to: &report, at: now)
      report.member("deadline", story.history.job.deadline?.timestamp)
      report.member("crashes", story.history.life.crashes)
      report.objects("history", of: attempts) { $1.write(to: &$0, at: now) }
      if let expectation { expectation.write(to: &report, at: now) }
      if let row {
        report.key("row")
        report.raw(row.last == UInt8(ascii: "\n") ? row.dropLast() : row[...])
      } else {
        report.memberOrNull("row_bytes", story.row?.count)
      }
    }
  }

  /// One job of a list.
  static func entry(_ history: JobHistory, at now: Moment) -> [UInt8] {
    JSONWriter.object(reservingCapacity: 512) { history.write(to: &$0, at: now) }
  }

  /// The past ones, and the one that is under way or was the last.
  private var attempts: [Attempt] {
    let past = story.attempts.map { attempt in
      Attempt(
        number: attempt.attempt, grantedAt: attempt.grantedAt, worker: attempt.worker,
        endedAt: attempt.endedAt, end: attempt.failure == nil ? .crashed : .failed, failure: attempt.failure,
        nextAt: attempt.nextAt)
    }
    let history = story.history
    guard let grantedAt = history.grantedAt, let end = Attempt.End(history.life.state),
      history.life.attempts > past.last?.number ?? 0
    else { return timed(past) }
    let last = Attempt(
      number: history.life.attempts, grantedAt: grantedAt, worker: history.worker,
      endedAt: history.endedAt, end: end)
    return timed(past + [last])
  }

  /// With the times that each waited: from when it could begin until it did.
  private func timed(_ attempts: [Attempt]) -> [Attempt] {
    var attempts = attempts
    var ready = attempts.first?.number == 1 ? story.history.submittedAt : nil
    for index in attempts.indices {
      if let ready, let granted = attempts[index].grantedAt {
        attempts[index].waited = max(0, granted.milliseconds(since: ready))
      }
      ready = attempts[index].nextAt ?? attempts[index].endedAt
    }
    return attempts
  }
}

/// An attempt as reports have it.
private struct Attempt {
  enum End: String {
    case underWay = "under_way"
    case done
    case failed
    case cancelled
    case crashed

    /// How the last attempt stands; nil while there is none.
    init?(_ state: JobLife.State) {
      switch state {
      case .waiting, .ready, .scheduled: return nil
      case .leased: self = .underWay
      case .over(.done): self = .done
      case .over(.dead): self = .failed
      case .over(.cancelled): self = .cancelled
      }
    }
  }

  var number: UInt16
  var grantedAt: Moment?
  var worker: WorkerID?
  var endedAt: Moment?
  var end: End
  var failure: Failure?
  var nextAt: Moment?
  /// Milliseconds.
  var waited: Int64?

  /// Writes it as members of an object.
  func write(to report: inout JSONWriter, at now: Moment) {
    report.member("attempt", number)
    report.memberOrNull("waited_ms", waited)
    report.member("began", grantedAt?.timestamp)
    report.member("worker", worker?.description)
    report.member("ended", endedAt?.timestamp)
    if let grantedAt { report.member("took_ms", (endedAt ?? now).milliseconds(since: grantedAt)) }
    report.member("end", end.rawValue)
    if let failure {
      report.beginObject("error")
      report.member("kind", failure.kind.rawValue)
      report.member("stage", failure.stage.rawValue)
      report.member("message", failure.message)
      report.endObject()
    }
    report.member("next", nextAt?.timestamp)
  }
}

extension JobHistory {
  /// Writes what lists and stories have in common, as members of an object.
  fileprivate func write(to object: inout JSONWriter, at now: Moment) {
    object.member("id", job.id.description)
    object.member("batch", job.batch.description)
    object.member("ordinal", job.ordinal)
    object.member("kind", job.kind.name)
    object.member("input", job.input?.shortened(toBytes: Failure.longestMessage))
    object.member("ref", job.ref?.shortened(toBytes: Failure.longestMessage))
    object.member("host", host.isEmpty || job.kind == .echo ? nil : host)
    object.member("state", JobPhase(life.state).name)
    object.member("error", failure?.rawValue)
    object.member("attempts", life.attempts)
    object.member("submitted", submittedAt.timestamp)
    object.member("age_ms", now.milliseconds(since: submittedAt))
    object.member("began", grantedAt?.timestamp)
    object.member("worker", worker?.description)
    object.member("ended", endedAt?.timestamp)
  }
}

extension JobReport.Expectation {
  /// Writes it as the member `next` of an object.
  fileprivate func write(to report: inout JSONWriter, at now: Moment) {
    report.beginObject("next")
    switch self {
    case .retry(let moment): report.waits(for: "retry", until: moment, at: now)
    case .calls: report.waits(for: "calls", at: now)
    case .cancellation(let cause):
      report.waits(for: "cancellation", at: now)
      report.member("cause", cause)
    case .end: report.waits(for: "restart", at: now)
    case .standing(let standing, let inLine):
      standing.write(to: &report, at: now)
      report.member("waiting_for_host", inLine)
    }
    report.endObject()
  }
}

extension JSONWriter {
  fileprivate mutating func waits(
    for reason: String, host: String? = nil, until moment: Moment? = nil, at now: Moment
  ) {
    member("waits_for", reason)
    member("host", host)
    guard let moment else { return }
    member("until", moment.timestamp)
    member("in_ms", max(0, moment.milliseconds(since: now)))
  }
}

extension JobStanding {
  fileprivate func write(to next: inout JSONWriter, at now: Moment) {
    switch self {
    case .worker(let id):
      next.waits(for: "worker", at: now)
      next.member("worker", id.description)
    case .retry: next.waits(for: "retry", at: now)
    case .row(of: let id):
      next.waits(for: "row", at: now)
      next.member("job", id.description)
    case .suspects(let count):
      next.waits(for: "other_suspects", at: now)
      next.member("suspects", count)
    case .hostGivenUp(let host, let until):
      next.waits(for: "given_up_host", host: host, until: until, at: now)
    case .hostPause(let host, let until): next.waits(for: "host_pause", host: host, until: until, at: now)
    case .hostHeld(let host): next.waits(for: "resumed_host", host: host, at: now)
    case .allPaused: next.waits(for: "resumed_fleet", at: now)
    case .room: next.waits(for: "room", at: now)
    case .batch(.paused): next.waits(for: "resumed_batch", at: now)
    case .batch(.starts(at: let moment)): next.waits(for: "start", until: moment, at: now)
    case .batch(.limit): next.waits(for: "batch_limit", at: now)
    case .hostSlot(let host, let running):
      next.waits(for: "host", host: host, at: now)
      next.member("under_way", running)
    case .credit: next.waits(for: "fetcher", at: now)
    case .turn: next.waits(for: "turn", at: now)
    }
  }
}
