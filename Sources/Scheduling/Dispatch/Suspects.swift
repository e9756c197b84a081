import Pipeline

/// Finds the job that fetchers die of, by testing groups of jobs. A pure value.
///
/// When a fetcher dies, the jobs that it was executing become suspects, in two groups. The suspects on a fetcher are always of
/// one group, beside any number of other jobs. A death that several suspects share halves their group; a suspect that is
/// the only one on the fetcher is charged. So a job that kills every fetcher is alone after log₂ of the fetcher's load, and its
/// third charge comes two deaths later. A suspect that comes to an end is none any more.
///
/// None of it is in the ledger, which has the charges alone: a new aggregator halves the load of the next death again.
struct Suspects: Sendable {
  private struct Suspicion: Sendable {
    var group: UInt64
    var isWaiting = false
    /// It was in several deaths of fetchers that took it for a job that waits for its server.
    var isDoubted: Bool
  }

  private var suspicions: [JobID: Suspicion] = [:]
  /// In the order of their turns.
  private(set) var waiting: [JobID] = []
  private var lastGroup: UInt64 = 0
  /// Those that fetchers are on.
  private var running: [WorkerID: Set<JobID>] = [:]
  /// Those of them that only wait for their servers, as their fetchers say.
  private var idle: Set<JobID> = []
  /// What speaks against jobs that are no suspects.
  private var evidence: [JobID: UInt8] = [:]
  /// When a host may be asked that a suspect waits for.
  var nextWake: Moment?
  /// Suspects and other jobs take turns when there is credit for only one of them.
  var goFirst = true

  /// A death that other suspects explain, and one of a job that seemed to wait for its server, prove little.
  private static let executingWeight: UInt8 = 2
  private static let idleWeight: UInt8 = 1
  private static let enoughWeight: UInt8 = 3

  var count: Int { suspicions.count }
  var leaks: Int { suspicions.count + evidence.count + idle.count }

  func knows(_ job: JobID) -> Bool { !suspicions.isEmpty && suspicions[job] != nil }

  /// Memory knows more of the job than the ledger does.
  func hasAnything(on job: JobID) -> Bool {
    !(suspicions.isEmpty && evidence.isEmpty) && (suspicions[job] != nil || evidence[job] != nil)
  }

  /// A suspect waits for its turn. A job that is none yet was charged under an earlier aggregator, or with a decoder.
  mutating func wait(_ job: JobID) {
    if suspicions[job] == nil { suspect([job], isDoubted: false) }
    guard suspicions[job]?.isWaiting == false else { return }
    suspicions[job]?.isWaiting = true
    waiting.append(job)
  }

  /// Whether a fetcher may have a suspect beside those that it is on. Those that wait for their servers harm nothing.
  func mayRun(_ job: JobID, on worker: WorkerID) -> Bool {
    guard let group = suspicions[job]?.group else { return false }
    return (running[worker] ?? []).allSatisfy { other in
      suspicions[other].map { $0.group == group || !$0.isDoubted && idle.contains(other) } ?? true
    }
  }

  mutating func began(_ job: JobID, on worker: WorkerID) {
    guard knows(job) else { return }
    stopWaiting(job)
    running[worker, default: []].insert(job)
  }

  mutating func ended(_ job: JobID, on worker: WorkerID) {
    guard !running.isEmpty, running[worker]?.remove(job) != nil else { return }
    if running[worker]?.isEmpty == true { running[worker] = nil }
    idle.remove(job)
  }

  /// The job is over, or no fetcher died of an attempt.
  mutating func cleared(_ job: JobID) {
    guard hasAnything(on: job) else { return }
    stopWaiting(job)
    (suspicions[job], evidence[job]) = (nil, nil)
  }

  private mutating func stopWaiting(_ job: JobID) {
    guard suspicions[job]?.isWaiting == true else { return }
    suspicions[job]?.isWaiting = false
    waiting.removeAll { $0 == job }
  }

  /// The suspects that a fetcher is on.
  func running(on worker: WorkerID) -> Set<JobID> { running[worker] ?? [] }

  /// A fetcher says which of its suspects wait for their servers.
  mutating func noteIdle(_ waiting: Set<JobID>, on worker: WorkerID) {
    idle.subtract(running(on: worker))
    idle.formUnion(waiting)
  }

  /// A fetcher died.
  ///
  /// - Parameters:
  ///   - executing: Jobs that it can have died of.
  ///   - waiting: Jobs that waited for their servers when it spoke last.
  /// - Returns: The job to be charged; nil when several share the death.
  mutating func fetcherDied(executing: [JobID], waiting: [JobID]) -> JobID? {
    let known = executing.filter(knows) + waiting.filter { suspicions[$0]?.isDoubted == true }
    let (others, silent) = (executing.filter { !knows($0) }, waiting.filter { !knows($0) })
    guard !known.isEmpty else {
      suspect(others, isDoubted: false)
      testify(silent, Self.idleWeight)
      return others.count == 1 && silent.isEmpty ? others.first : nil
    }
    split(known)
    testify(others, Self.executingWeight)
    testify(silent, Self.idleWeight)
    return known.count == 1 ? known.first : nil
  }

  private mutating func testify(_ jobs: [JobID], _ weight: UInt8) {
    for job in jobs { evidence[job, default: 0] += weight }
    suspect(
      jobs.filter { evidence[$0, default: 0] >= Self.enoughWeight }, isDoubted: weight == Self.idleWeight)
  }

  private mutating func suspect(_ jobs: [JobID], isDoubted: Bool) {
    for job in jobs {
      evidence[job] = nil
      suspicions[job] = Suspicion(group: 0, isDoubted: isDoubted)
    }
    split(jobs)
  }

  private mutating func split(_ jobs: [JobID]) {
    for half in [jobs.prefix((jobs.count + 1) / 2), jobs.dropFirst((jobs.count + 1) / 2)] {
      lastGroup += 1
      for job in half { suspicions[job]?.group = lastGroup }
    }
  }
}
