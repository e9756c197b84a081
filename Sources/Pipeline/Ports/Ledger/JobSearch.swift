import Links

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
