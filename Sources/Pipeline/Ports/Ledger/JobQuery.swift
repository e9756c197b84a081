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
    guard phases.contains(job.phase) else { return false }
    return switch what {
    case .waiting, .ready, .leased: true
    case .due(let now): if case .scheduled(let moment) = job.life.state { moment <= now } else { false }
    case .overdue(let now): job.state.deadline.map { $0 <= now } ?? false
    case .of(let batch): job.job.batch == batch
    case .atHost(let host, let batch): job.host == host && job.job.batch == batch
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
