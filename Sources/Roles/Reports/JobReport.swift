import JSONQuery
import Pipeline

/// A job of a list.
struct JobEntry: Encodable, Sendable {
  var id: JobID
  var batch: BatchID
  var ordinal: UInt64
  var kind: String
  var input: String?
  var ref: String?
  var host: String?
  var state: String
  var error: FailureKind?
  var attempts: UInt16
  var submitted: String
  var ageMs: Int64
  var began: String?
  var worker: WorkerID?
  var ended: String?

  init(_ history: LedgerJob, at now: Moment) {
    let job = history.job
    (id, batch, ordinal, kind) = (job.id, job.batch, job.ordinal, job.kind.name)
    input = job.input?.shortened(toBytes: Failure.longestMessage)
    ref = job.ref?.shortened(toBytes: Failure.longestMessage)
    host = history.host.isEmpty || job.kind == .echo ? nil : history.host
    (state, error) = (history.phase.name, history.failure)
    (attempts, submitted) = (history.life.attempts, history.submittedAt.timestamp)
    ageMs = now.milliseconds(since: history.submittedAt)
    let last = history.state
    (began, worker, ended) = (last.grantedAt?.timestamp, last.worker, last.endedAt?.timestamp)
  }
}

/// What became of a job: the schema `halyard.job/1`.
struct JobReport: Encodable, Sendable {
  private(set) var schema = "halyard.job/1"
  @Flat var entry: JobEntry
  var deadline: String?
  var crashes: UInt8
  /// The past attempts, and the one that is under way or was the last.
  var history: [Attempt]
  /// What is next; nil when it is over.
  var next: Expectation?
  var row: RawJSON?
  /// Of a row that is not here; nil when there is none.
  var rowBytes: OrNull<Int>?

  /// Rows that a report has in it; larger ones are left to `results`.
  private static let longestRow = 1 << 20

  init(_ story: JobStory, _ next: Expectation?, at now: Moment) {
    let history = story.history
    (entry, self.next) = (JobEntry(history, at: now), next)
    (deadline, crashes) = (history.job.deadline?.timestamp, history.life.crashes)
    self.history = Attempt.all(of: story, at: now)
    if let row = story.row?.json, row.count <= Self.longestRow {
      self.row = RawJSON(Array(row.last == UInt8(ascii: "\n") ? row.dropLast() : row[...]))
    } else {
      rowBytes = OrNull(wrappedValue: story.row?.json.count)
    }
  }

  struct Attempt: Encodable, Sendable {
    struct Fault: Encodable, Sendable {
      var kind: FailureKind
      var stage: String
      var message: String
    }

    var attempt: UInt16
    /// From when it could begin until it did.
    @OrNull var waitedMs: Int64? = nil
    var began: String?
    var worker: WorkerID?
    var ended: String?
    var tookMs: Int64?
    var end: String
    var error: Fault?
    var next: String?

    private init(
      _ number: UInt16, granted: Moment?, at worker: WorkerID?, ended: Moment?, _ end: String,
      ready: Moment?, now: Moment
    ) {
      (attempt, self.worker, self.end) = (number, worker, end)
      (began, self.ended) = (granted?.timestamp, ended?.timestamp)
      guard let granted else { return }
      waitedMs = ready.map { max(0, granted.milliseconds(since: $0)) }
      tookMs = (ended ?? now).milliseconds(since: granted)
    }

    static func all(of story: JobStory, at now: Moment) -> [Attempt] {
      let history = story.history
      let isWhole = (story.attempts.first?.attempt ?? history.life.attempts) == 1
      var ready = isWhole ? history.submittedAt : nil
      var all = story.attempts.map { past in
        var attempt = Attempt(
          past.attempt, granted: past.grantedAt, at: past.worker, ended: past.endedAt,
          past.failure == nil ? "crashed" : "failed", ready: ready, now: now)
        attempt.error = past.failure.map {
          Fault(kind: $0.kind, stage: $0.stage.rawValue, message: $0.message)
        }
        attempt.next = past.nextAt?.timestamp
        ready = past.nextAt ?? past.endedAt
        return attempt
      }
      if let granted = history.state.grantedAt, let end = end(history.life.state),
        history.life.attempts > all.last?.attempt ?? 0
      {
        all.append(
          Attempt(
            history.life.attempts, granted: granted, at: history.state.worker,
            ended: history.state.endedAt, end, ready: ready, now: now))
      }
      return all
    }

    /// How the last attempt stands; nil while there is none.
    private static func end(_ state: JobLife.State) -> String? {
      switch state {
      case .waiting, .ready, .scheduled: nil
      case .leased: "under_way"
      case .over(let end): JobPhase(.over(end)).name
      }
    }
  }

  /// What a job waits for.
  struct Expectation: Encodable, Hashable, Sendable {
    var waitsFor: String
    var host: String?
    var until: String?
    var inMs: Int64?
    var cause: String?
    var worker: WorkerID?
    /// The one that asks the same, and whose row it gets a copy of.
    var job: JobID?
    /// Workers may have died of them and of this one, which waits until those of other groups are through.
    var suspects: Int?
    /// At its host, where no more may be at once.
    var underWay: Int?
    var waitingForHost: Int?

    init(
      _ reason: String, host: String? = nil, until moment: Moment? = nil, worker: WorkerID? = nil,
      job: JobID? = nil, suspects: Int? = nil, underWay: Int? = nil, at now: Moment
    ) {
      (waitsFor, self.host, until) = (reason, host, moment?.timestamp)
      (self.worker, self.job, self.suspects, self.underWay) = (worker, job, suspects, underWay)
      inMs = moment.map { max(0, $0.milliseconds(since: now)) }
    }
  }
}
