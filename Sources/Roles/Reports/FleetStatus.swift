import JSONQuery
import Pipeline
import Recipes

/// What the aggregator has done since it started.
struct AggregatorWork: Encodable, Sendable {
  /// Messages it has taken.
  var messages: UInt64 = 0
  var commits: UInt64 = 0
  /// Results under leases that no worker has: each was dropped.
  var strays: UInt64 = 0
  /// By whom they claim to be from.
  var refusedMessages = Members(RefusedMessages.Claim.allCases.map { ($0.rawValue, 0 as UInt64) })
  /// Jobs that were answered from what is kept, and those whose server said that it is still so.
  var cached: UInt64 = 0
  var revalidated: UInt64 = 0
  /// DRAINs from those who may not send one.
  var drainsRefused: UInt64 = 0

  private enum CodingKeys: CodingKey {
    case messages, commits, strays, refusedMessages, cached, revalidated
  }
}

/// How the fleet is: the schema `halyard.status/1`, for people, pages and alarms alike. Members are written in the order in
/// which they stand here.
struct FleetStatus: Encodable, Sendable {
  struct Worker: Encodable, Sendable {
    var id: WorkerID
    var role: String
    var locality: String
    var address: String?
    var pid: UInt32?
    /// Jobs it answers for.
    var held: Int
    /// Further jobs it would take; nil for a worker that takes none from the aggregator.
    var free: UInt64?
    var heardMsAgo: Int64
    /// Messages it has taken, by its last HELLO.
    var messages: UInt64
    var version: String?
    var wire: String?
    var verdict: String
    var leaving: Bool?
    /// Why it gets nothing to do.
    var differs: String?
    /// nil for a worker that does not say.
    var sandbox: String?
  }

  /// What became of jobs in the last minute and in the last quarter of an hour.
  struct Recent: Encodable, Sendable {
    var minute = RecentEnds.Counts()
    var quarter = RecentEnds.Counts()

    private enum CodingKeys: String, CodingKey {
      case minute = "1m"
      case quarter = "15m"
    }
  }

  /// Retries that may be made now, and failures that were final because none were left.
  struct Retries: Encodable, Sendable {
    var left: Int64 = RetryBudget.reserve
    var refused: UInt64 = 0
  }

  struct Hosts: Encodable, Sendable {
    /// Those that only fail: that are asked one job at a time, and that are given up for a while.
    var slow = 0
    var givenUp = 0
    /// Those whose jobs wait because they asked for it.
    var askedToWait = 0
    /// What it cost since the start that hosts were given up, and the hosts that it cost most.
    var jobsLost = 0
    var worst: [GivenUpHosts.Host] = []
    @OrNull var others: Int? = nil
    var inTrouble: [HostHealth.Report] = []
  }

  struct Pause: Encodable, Sendable {
    var all: Bool?
    var host: String?
    var batch: BatchID?
    var since: String
    var until: String?
    var by: String
    var reason: String?
  }

  struct Ledger: Encodable, Sendable {
    struct Reserve: Encodable, Sendable {
      var bytes: Int64 = 0
      var givenUp = false
    }

    /// How long a batch is kept when it is over; nil for ever.
    @OrNull var keepsMs: Int64? = nil
    /// As of the last look; nil before that.
    @Flat var room: LedgerRoom?
    var reserve = Reserve()
    /// Why it cannot be written or read now, and what to do.
    var fault: String?
    /// Why its file is gone, and what to do.
    var missing: String?
    /// An earlier one, which was gone when the aggregator started: an empty one was begun.
    var lost: String?
    /// What is done with it, and how far that is.
    var work: LedgerReport?
  }

  /// A recipe that runs.
  struct Run: Encodable, Sendable {
    var job: JobID
    var batch: BatchID
    var input: String?
    var steps: [StepState]
  }

  var schema = "halyard.status/1"
  var version: String
  var pid: UInt32
  var uptimeMs: Int64
  var health = "ok"
  /// Why it is not well.
  var reason: String?
  /// Jobs can be done now.
  var ready = true
  @Flat var work = AggregatorWork()
  /// How many there are, by state.
  var jobs = Members<Int>()
  /// How long ago the oldest open jobs were submitted, by state.
  var oldestMs = Members<OrNull<Int64>>()
  /// Jobs of memory that could start now, and further jobs that fetchers would take.
  var runnable = 0
  var freeCredit: UInt64 = 0
  /// Open jobs that workers may have died of.
  var suspects = 0
  var recent = Recent()
  /// Since the start.
  var failures = FailureCounts()
  var retries = Retries()
  var hosts = Hosts()
  /// What users have paused, the oldest first.
  @UnlessEmpty var paused: [Pause] = []
  var otherPauses: Int?
  var ledger = Ledger()
  /// What `up` keeps running; nil without one.
  var wanted: FleetSize?
  /// Clients that were not let in.
  var refusedPeers: RefusalReport?
  var workers: [Worker] = []
  /// Those that fell silent and did not come back, the last one first.
  @UnlessEmpty var silentWorkers: [Worker] = []
  /// The newest.
  var batches: [BatchReport] = []
  var otherBatches = 0
  @UnlessEmpty var runs: [Run] = []

  init(of program: WorkerProgram, uptimeMilliseconds: Int64) {
    (version, pid, uptimeMs) = (program.version, program.process, uptimeMilliseconds)
  }

  /// Workers that are listed: a report fits into a message, however many there are.
  private static let mostWorkers = 2_000
  private static let mostPauses = 100
  private static let mostSilent = 20

  var json: [UInt8] {
    var listed = self
    listed.workers = Array(workers.prefix(Self.mostWorkers))
    listed.silentWorkers = Array(silentWorkers.prefix(Self.mostSilent))
    listed.paused = Array(paused.prefix(Self.mostPauses))
    listed.otherPauses = paused.isEmpty ? nil : paused.count - listed.paused.count
    return RawJSON(of: listed).bytes
  }
}

extension FleetStatus {
  /// What the aggregator knows besides, and what keeps jobs from being done.
  struct Circumstances {
    /// Why the ledger could not be written or read last; nil when it could.
    var fault: String?
    /// It gives out no more jobs.
    var isDrained = false
    /// It was run by an `up` that says nothing any more.
    var isUnattended = false
    /// The process of that `up`.
    var up: Int32?
  }

  /// Says how well the fleet is, from what stands in the report.
  ///
  /// - Returns: Why jobs cannot be done now; nil when they can.
  mutating func judge(_ circumstances: Circumstances = Circumstances()) -> String? {
    let trouble = circumstances.fault ?? circumstances.end ?? circumstances.neglect ?? gap
    reason = trouble ?? stranger ?? ledger.loss
    (health, ready) = (reason == nil ? "ok" : "degraded", trouble == nil)
    return trouble
  }

  /// Who gets nothing to do, and why.
  private var stranger: String? {
    let strangers = workers.filter { $0.differs != nil }.sorted { $0.id < $1.id }
    guard let first = strangers.first, let difference = first.differs else { return nil }
    let others = strangers.count > 1 ? ", and so do \(strangers.count - 1) more" : ""
    return
      "\(first.role) \(first.id) gets nothing to do: \(difference)\(others); start it as the rest of its fleet"
  }

  /// Which role is missing on the way of a job, and what to do; nil when none is.
  private var gap: String? {
    let here = workers.filter { $0.address != nil && $0.verdict == MemberVerdict.compatible.rawValue }
    let fetching = Set(here.filter { $0.role == Role.fetcher.name }.map(\.locality))
    let decoding = Set(here.filter { $0.role == Role.decoder.name }.map(\.locality))
    if let stranger, fetching.isEmpty || decoding.isEmpty { return stranger }
    if fetching.isEmpty, decoding.isEmpty { return "no workers: all jobs wait for a fetcher and a decoder" }
    if fetching.isEmpty { return "no fetcher: all jobs wait until one comes\(remedy(.fetcher))" }
    if let locality = fetching.subtracting(decoding).sorted().first {
      let place = decoding.isEmpty ? "" : " in locality \(locality)"
      return "no decoder\(place): pages wait until one comes\(remedy(.decoder))"
    }
    guard let locality = decoding.subtracting(fetching).sorted().first else { return nil }
    return
      "no fetcher in locality \(locality): its decoders get no pages until one comes\(remedy(.fetcher))"
  }

  /// What to do depends on whether `up` runs the fleet: then it starts the workers.
  private func remedy(_ role: Role) -> String {
    guard let wanted else { return ", as 'halyard \(role.name)' starts it" }
    if let leaving = workers.first(where: { $0.role == role.name && $0.leaving == true }) {
      return
        "; \(role.name) \(leaving.id) finishes what it has, and ends: '\(role.name)s' of 'halyard scale' count it until then"
    }
    if (role == .fetcher ? wanted.fetchers : wanted.decoders) == 0 {
      return "; 'halyard up' runs none any more: start some with 'halyard scale \(role.name)s N'"
    }
    guard let silent = silentWorkers.first(where: { $0.role == role.name }) else {
      return "; 'halyard up' starts those that end, and its log says why; one that is stopped does nothing"
    }
    return
      "; \(role.name) \(silent.id) is silent: if it is stopped, let it go on with"
      + " 'kill -CONT \(silent.pid.map(String.init) ?? "PROCESS")'"
  }
}

extension FleetStatus.Ledger {
  fileprivate var loss: String? {
    lost.map {
      "a fleet ran here before, and its ledger \($0) was gone when the aggregator started: an empty one was begun; to go on with"
        + " the old one, stop the fleet and put it back; to go on without it, start the fleet again"
    }
  }
}

extension FleetStatus.Circumstances {
  fileprivate var end: String? {
    isDrained ? "drained: nothing more is given out until the aggregator is started again" : nil
  }

  fileprivate var neglect: String? {
    guard isUnattended else { return nil }
    return
      "'halyard up' says nothing any more, so nothing that ends is started again; if its process is stopped, let it go on with"
      + " 'kill -CONT \(up.map(String.init) ?? "PROCESS")'"
  }
}
