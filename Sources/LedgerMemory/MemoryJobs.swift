import Pipeline

/// A job, over or not, as long as its row is kept.
struct MemoryJob: Sendable {
  let job: Job
  let host: String
  let key: LinkKey?
  /// Of its batch.
  let serial: UInt64
  let submittedAt: Moment
  fileprivate(set) var state: JobState
  /// The past ones.
  var attempts: [PastAttempt] = []
  /// The number of its row.
  var row: UInt64?

  init(_ item: JobsIn.Item, serial: UInt64, at now: Moment) {
    (job, host, key) = item
    (self.serial, submittedAt) = (serial, now)
    state = JobState(job.firstLife, deadline: job.deadline)
  }

  var phase: JobPhase { JobPhase(state.life.state) }
  var isReady: Bool { state.life.state == .ready }

  var open: OpenJob {
    var open = OpenJob(job: job, life: state.life, holder: state.worker)
    if job.deadline != state.deadline { open.job.deadline = state.deadline }
    open.host = host
    return open
  }

  func history(_ failure: FailureKind?) -> JobHistory {
    var history = JobHistory(job: job, state: state, host: host, submittedAt: submittedAt)
    history.failure = failure
    return history
  }

  /// Its next life.
  mutating func begins() { (row, attempts) = (nil, []) }

  mutating func add(_ attempt: PastAttempt) {
    attempts.removeAll { $0.attempt == attempt.attempt }
    attempts.append(attempt)
    attempts.sort { $0.attempt < $1.attempt }
    attempts.removeFirst(max(0, attempts.count - PastAttempt.mostKept))
  }
}

/// Jobs by id, in the order of their ids, and how many are in which state.
struct MemoryJobs {
  private var jobs: [JobID: MemoryJob] = [:]
  /// The ids of all jobs, and of some that are gone by now; in order unless `isMixed`.
  private var ids: [JobID] = []
  private var isMixed = false
  private(set) var counts = JobCounts()

  subscript(id: JobID) -> MemoryJob? {
    get { jobs[id] }
    _modify { yield &jobs[id] }
  }

  var all: some Sequence<MemoryJob> { jobs.values }

  mutating func insert(_ job: MemoryJob) {
    if ids.count > 2 * jobs.count + 1_000 { ids.removeAll { jobs[$0] == nil } }
    if let last = ids.last, last >= job.job.id { isMixed = true }
    ids.append(job.job.id)
    jobs[job.job.id] = job
    counts.add(1, in: job.phase)
  }

  mutating func remove(_ id: JobID) {
    if let gone = jobs.removeValue(forKey: id) { counts.add(-1, in: gone.phase) }
  }

  /// - Returns: nil when the job is unknown, or the change comes too late for it.
  mutating func change(_ change: JobChange, at now: Moment) -> JobState.Effect? {
    guard let place = jobs.index(forKey: change.job) else { return nil }
    let (before, kind) = (jobs.values[place].phase, jobs.values[place].job.kind)
    guard let effect = jobs.values[place].state.take(change.event, kind: kind, at: now) else { return nil }
    counts.add(-1, in: before)
    counts.add(1, in: jobs.values[place].phase)
    return effect
  }

  /// Those after an id, in their order.
  mutating func page(
    after id: JobID?, through last: JobID? = nil, limit: Int, where belongs: (MemoryJob) -> Bool
  ) -> [MemoryJob] {
    if isMixed { (ids, isMixed) = (jobs.keys.sorted(), false) }
    var page: [MemoryJob] = []
    for key in ids[place(after: id)...] where last.map({ key <= $0 }) ?? true {
      guard page.count < limit else { break }
      if let job = jobs[key], belongs(job) { page.append(job) }
    }
    return page
  }

  mutating func ready(of batch: BatchID, after id: JobID?, limit: Int, host: String? = nil) -> [MemoryJob] {
    let first = JobID(batch: batch, ordinal: 0).predecessor
    return page(after: max(id ?? first, first), through: JobID(batch: batch, ordinal: .max), limit: limit) {
      $0.isReady && $0.host == host ?? $0.host
    }
  }

  /// Offers the ready jobs of the first block of a batch, from a place on, by host and id.
  ///
  /// - Returns: Where it goes on; nil when there is nothing more.
  mutating func offer(_ place: ReadyPlace, of batch: BatchID, to choice: inout ReadyChoice) -> ReadyPlace? {
    let start = JobID(batch: batch, startOf: place.block)
    guard let block = ready(of: batch, after: start, limit: 1).first?.job.id.readyBlock else { return nil }
    let place = block == place.block ? place : ReadyPlace(block: block)
    let end = JobID(batch: batch, startOf: block + 1)
    let inBlock = page(after: JobID(batch: batch, startOf: block), through: end, limit: .max) {
      $0.isReady && $0.host >= place.host
    }
    choice.beginBlock()
    for open in inBlock.sorted(by: { ($0.host, $0.job.id) < ($1.host, $1.job.id) }) {
      switch choice.offer(open.job.id, of: open.host) {
      case .next: continue
      case .skipHost: return place.after(open.host)
      case .stop: return ReadyPlace(block: block, host: open.host)
      }
    }
    return ReadyPlace(block: block + 1)
  }

  private func place(after id: JobID?) -> Int {
    guard let id else { return 0 }
    var (low, high) = (0, ids.count)
    while low < high {
      let middle = low + (high - low) / 2
      if ids[middle] > id { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension JobSelection {
  func contains(_ job: MemoryJob) -> Bool {
    let state = job.state.life.state
    if case .over = state { return false }
    return switch self {
    case .all: true
    case .of(let batch): job.job.batch == batch
    case .waiting: state == .waiting
    case .ready: state == .ready
    case .leased: job.phase == .leased
    case .scheduled(let now): if case .scheduled(let moment) = state { moment <= now } else { false }
    case .overdue(let now): job.state.deadline.map { $0 <= now } ?? false
    }
  }
}
