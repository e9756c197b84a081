import Links

/// Which of the jobs that are not over to read, in the order of their ids.
///
/// A listing is a `JobSearch`: it goes from the newest batch back, so its pages begin at other places. Ready jobs by host are
/// a `ReadyWish`: they are answered in groups, and a page passes over hosts.
public struct JobQuery: Hashable, Sendable {
  public enum What: Hashable, Sendable {
    /// Runs, which wait for their calls.
    case waiting
    case ready
    case leased
    /// Retries whose time is this moment or was before.
    case due(by: Moment)
    /// Jobs in any state whose deadline is this moment or was before.
    case overdue(at: Moment)
    case of(BatchID)
    /// Ready jobs of a batch that wait for this host. So many blocks are looked at that it does not take long.
    case atHost(String, of: BatchID)
    /// In any order, and all on one page.
    case ids([JobID])
  }

  public var what: What
  /// The page begins behind this id; nil for the first.
  public var after: JobID?
  public var limit: Int

  public init(_ what: What, after: JobID? = nil, limit: Int = .max) {
    (self.what, self.after, self.limit) = (what, after, max(0, limit))
  }

  /// Blocks that are looked at for a page of one host.
  public static let mostBlocks = 64

  public func wants(_ job: LedgerJob) -> Bool {
    guard phases.contains(job.phase), batch ?? job.job.batch == job.job.batch else { return false }
    return switch what {
    case .waiting, .ready, .leased, .of: true
    case .due(let now): if case .scheduled(let moment) = job.life.state { moment <= now } else { false }
    case .overdue(let now): job.state.deadline.map { $0 <= now } ?? false
    case .atHost(let host, of: _): job.host == host
    case .ids(let ids): ids.contains(job.id)
    }
  }

  /// The states that such jobs are in.
  public var phases: [JobPhase] {
    switch what {
    case .waiting: [.waiting]
    case .ready, .atHost: [.ready]
    case .leased: [.leased]
    case .due: [.scheduled]
    case .overdue, .of, .ids: JobPhase.open
    }
  }

  /// The id before the first that may come: those of a batch are a range, see `JobID`.
  public var start: JobID? {
    guard let batch else { return after }
    let first = JobID(batch: batch, ordinal: 0).predecessor
    return max(after ?? first, first)
  }

  /// The last id that may come; nil for all.
  public var end: JobID? { batch.map { JobID(batch: $0, ordinal: .max) } }

  private var batch: BatchID? {
    switch what {
    case .of(let batch), .atHost(_, of: let batch): batch
    case .waiting, .ready, .leased, .due, .overdue, .ids: nil
    }
  }
}

/// The next page begins behind the id.
public typealias JobPage = Page<LedgerJob, JobID>

/// The state of a job as users name it. The numbers stand in ledgers and questions.
public enum JobPhase: UInt8, CaseIterable, Codable, Sendable {
  case waiting = 1
  case ready = 2
  case leased = 3
  case scheduled = 4
  case done = 5
  case failed = 6
  case cancelled = 7

  /// Of jobs that are not over.
  public static let open = allCases.filter(\.isOpen)
  public var isOpen: Bool { rawValue <= JobPhase.scheduled.rawValue }

  public init(_ state: JobLife.State) {
    switch state {
    case .waiting: self = .waiting
    case .ready: self = .ready
    case .leased: self = .leased
    case .scheduled: self = .scheduled
    case .over(.done): self = .done
    case .over(.dead): self = .failed
    case .over(.cancelled): self = .cancelled
    }
  }

  /// The name on the command line and in reports.
  public var name: String {
    switch self {
    case .waiting: "waiting"
    case .ready: "ready"
    case .leased: "leased"
    case .scheduled: "scheduled"
    case .done: "done"
    case .failed: "failed"
    case .cancelled: "cancelled"
    }
  }
}

/// A link, and its host, as one number that ledgers find jobs by. Two links may share a number: a search compares
/// the links too.
public struct LinkKey: Hashable, Sendable {
  public let value: Int64

  public init(value: Int64) {
    self.value = value
  }

  /// - Parameters:
  ///   - host: As jobs wait for it.
  ///   - link: As it is fetched.
  public init(host: String, link: String) {
    value = Int64(bitPattern: Self.sum(host) << 32 | Self.sum(link))
  }

  public static func keys(ofHost host: String) -> ClosedRange<Int64> {
    let first = Int64(bitPattern: sum(host) << 32)
    return first...(first | 0xFFFF_FFFF)
  }

  /// A hash, folded to its lower half.
  private static func sum(_ text: String) -> UInt64 {
    let sum = text.stableHash()
    return (sum ^ sum >> 32) & 0xFFFF_FFFF
  }
}

/// Which jobs to list, over or not: the newest batch first, and in it the last job first. Without a batch, those of pings
/// and the calls of runs are left out.
public struct JobSearch: Codable, Hashable, Sendable {
  /// Jobs and batches that are looked at for one page, so that it does not take long.
  public static let mostLooked = 2_000
  /// Jobs of one page: they fit into a frame.
  public static let mostFound = 200

  /// Where a page begins. Only the ledger that made it can read it.
  public struct Place: Codable, Hashable, Sendable {
    public var serial: Int64
    /// Jobs of that batch up to this id; nil for all of it.
    public var through: JobID?

    public init(serial: Int64, through: JobID?) {
      self.serial = serial
      self.through = through
    }
  }

  public var batch: BatchID?
  public var phase: JobPhase?
  public var kind: JobKind?
  public var host: String?
  /// Links with these keys; nil for all.
  public var keys: ClosedRange<Int64>?
  /// Jobs that were submitted at this moment or later.
  public var since: Moment?
  /// nil for the first page.
  public var from: Place?
  public var limit = JobSearch.mostFound

  /// The keys do not travel: they are made from the link.
  private enum CodingKeys: CodingKey {
    case batch, phase, kind, host, since, from, limit
  }

  public init() {}

  /// The keys that a link of these jobs has; nil for any.
  public var wantedKeys: ClosedRange<Int64>? { keys ?? host.map(LinkKey.keys(ofHost:)) }

  /// - Parameter link: nil when the job has none.
  public func wants(_ job: LedgerJob, link: LinkKey?) -> Bool {
    if batch ?? job.job.batch != job.job.batch { return false }
    if batch == nil, !job.job.batch.isShown { return false }
    if let wantedKeys, !(link.map { wantedKeys.contains($0.value) } ?? false) { return false }
    if let kind, kind != job.job.kind { return false }
    return wants(phase: job.phase, host: job.host, submittedAt: job.submittedAt)
  }

  /// Whether a job is looked for, as far as this much of it tells.
  public func wants(phase: JobPhase, host: String, submittedAt: Moment) -> Bool {
    if let wanted = self.phase, wanted != phase { return false }
    if let wanted = self.host, wanted != host { return false }
    return since.map { submittedAt >= $0 } ?? true
  }
}

public typealias FoundJobs = Page<LedgerJob, JobSearch.Place>

extension FoundJobs {
  /// - Parameter found: All that are looked for, each with the serial number of its batch.
  public init(_ found: [(serial: Int64, job: LedgerJob)], for search: JobSearch) {
    let sorted = found.sorted { ($0.serial, $0.job.id) > ($1.serial, $1.job.id) }
    let rest = sorted.drop { serial, job in
      search.from.map { serial > $0.serial || serial == $0.serial && job.id > $0.through ?? job.id } ?? false
    }
    let page = rest.prefix(max(1, search.limit))
    self.init(page.map(\.job))
    guard page.count < rest.count, let last = page.last else { return }
    next = JobSearch.Place(serial: last.serial, through: last.job.id.predecessor)
  }
}

/// What a ledger keeps of a job beside the job itself, and what each change makes of it: the same for every ledger. A pure
/// value.
public struct JobState: Hashable, Sendable {
  public var life: JobLife
  /// When its last attempt began, and at which worker. nil before the first, and after one that was not charged. The
  /// worker is also nil after an attempt that is among the past ones.
  public var grantedAt: Moment?
  public var worker: WorkerID?
  /// nil while it is not over.
  public var endedAt: Moment?
  /// Of a job that is not over.
  public var deadline: Moment?

  public init(_ life: JobLife, deadline: Moment?) {
    (self.life, self.deadline) = (life, deadline)
  }

  /// What follows of a change for all else that is kept of the job.
  public enum Effect: Sendable {
    case nothing
    /// An attempt is over, and is not the last.
    case attempted(PastAttempt)
    /// The death that was noted last was none.
    case forgetsDeath
    /// It has its row now.
    case over(Settlement)
    /// Its row and its attempts go.
    case anew
  }

  /// - Parameter kind: nil when it cannot be read; such a job has no other life.
  /// - Returns: nil when the change came too late, and nothing is changed.
  public mutating func take(_ event: JobChange.Event, kind: JobKind?, at now: Moment) -> Effect? {
    if case .requeued = event, kind == nil { return nil }
    let before = life.state
    guard life.take(event, isRun: kind == .run) else { return nil }
    switch event {
    case .granted(_, to: let worker): (grantedAt, self.worker) = (now, worker)
    case .ended(let settlement):
      // Whose lease it was is kept, but not of one that it had before.
      if let lease = settlement.lease, before != .leased(lease.token.unsealed) {
        (grantedAt, worker) = (nil, nil)
      }
      (endedAt, deadline) = (now, nil)
      return .over(settlement)
    case .failedForNow(_, until: let moment, let failure): return attempted(failure, next: moment, at: now)
    case .becameDue: break
    case .returned: (grantedAt, worker) = (nil, nil)
    case .crashed: return attempted(nil, next: nil, at: now)
    case .absolved: return .forgetsDeath
    case .requeued:
      (grantedAt, worker, endedAt, deadline) = (nil, nil, nil, nil)
      return .anew
    }
    return .nothing
  }

  private mutating func attempted(_ failure: Failure?, next moment: Moment?, at now: Moment) -> Effect {
    var attempt = PastAttempt(attempt: life.attempts, endedAt: now, failure: failure)
    (attempt.grantedAt, attempt.worker, attempt.nextAt) = (grantedAt, worker, moment)
    worker = nil
    return .attempted(attempt)
  }
}
