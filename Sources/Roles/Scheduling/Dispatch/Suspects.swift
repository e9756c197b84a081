import Pipeline

/// Finds the job that fetchers die of, by testing groups of jobs. A pure value.
///
/// When a fetcher dies, the jobs that it was executing become suspects. The suspects on a fetcher are always of one group,
/// beside any number of other jobs. A death that several suspects share halves their group; a suspect that is the only one on
/// the fetcher is charged. So a job that kills every fetcher is alone after log₂ of the fetcher's load, and its third charge
/// comes two deaths later. A suspect that comes to an end is none any more.
///
/// Most fetchers die of something else. So the first group of three jobs and more is whole, none of them waits for
/// another, and a second death makes four groups of it, as if the first had halved it.
///
/// A job that only waited for its server, as its fetcher said last, is no suspect. Should its answer have come just then,
/// and kill, no other job explains the death. A job that waited at three such deaths is a suspect all the same, in one of
/// eight groups, as if the first two deaths had halved them: it is found as soon, or in six deaths. Four deaths that
/// suspects seem to explain count as one that nothing does, because they may have been beside it only.
///
/// Others that are executing beside a suspect explain its fetcher's death as well. Before the charge that would end it, it is
/// on trial: its fetcher has nothing else new, until a while after the suspect began. A slow one may share its fetcher's
/// death with others all the same: then its trial is held again, twice at most, and each takes twice as long.
///
/// None of it is in the ledger, which has the charges alone: after the aggregator's restart, a job that was charged is a
/// suspect in a group of its own, and other groups begin anew.
struct Suspects: Sendable {
  private struct Suspicion: Sendable {
    var group: UInt64 = 0
    /// No death has divided its group.
    var isOfWhole = false
    var isWaiting = false
  }

  private struct Trial: Sendable {
    var job: JobID
    var worker: WorkerID
    var end: Moment
  }

  private var suspicions: [JobID: Suspicion] = [:]
  /// In the order of their turns.
  private(set) var waiting: [JobID] = []
  private var lastGroup: UInt64 = 0
  /// Those that fetchers are on.
  private var running: [WorkerID: Set<JobID>] = [:]
  /// Of each job that waited for its server, the weight of the deaths that it was in.
  private var silences: [JobID: UInt8] = [:]
  /// Jobs that were executing at a death that suspects explain. A second one makes them suspects.
  private var bystanders: Set<JobID> = []
  /// When a host may be asked that a suspect waits for.
  var nextWake: Moment?
  private var trial: Trial?
  /// Those that fetchers are on since their trials began, and how many trials of each did not count.
  private var tried: Set<JobID> = []
  private var mistrials: [JobID: Int64] = [:]
  /// Suspects and other jobs take turns when there is credit for only one of them.
  var goFirst = true

  private static let (unexplained, explained, doubted): (UInt8, UInt8, UInt8) = (4, 1, 12)
  /// What its fetcher has at the start of a trial may last so long; then the suspect has it for as long.
  static let trialMilliseconds: Int64 = 2_000
  private static let mostMistrials: Int64 = 2

  var count: Int { suspicions.count }
  var leaks: Int {
    suspicions.count + silences.count + bystanders.count + tried.count + mistrials.count
  }

  func knows(_ job: JobID) -> Bool { !suspicions.isEmpty && suspicions[job] != nil }

  /// Memory knows more of the job than the ledger does.
  func hasAnything(on job: JobID) -> Bool {
    leaks > 0 && (suspicions[job] != nil || silences[job] != nil || bystanders.contains(job))
  }

  /// A suspect waits for its turn. A job that is none yet was charged under an earlier aggregator, or with a decoder.
  mutating func wait(_ job: JobID) {
    if suspicions[job] == nil { suspect([job], in: 1) }
    guard suspicions[job]?.isWaiting == false else { return }
    suspicions[job]?.isWaiting = true
    waiting.append(job)
  }

  /// Whether a fetcher may have a suspect beside those that it is on.
  func mayRun(_ job: JobID, on worker: WorkerID) -> Bool {
    guard let group = suspicions[job]?.group,
      trial?.job == job ? trial?.worker == worker : isOpen(worker)
    else { return false }
    return running[worker]?.allSatisfy { suspicions[$0]?.group ?? group == group } ?? true
  }

  /// The fetcher is not kept for the trial of a suspect.
  func isOpen(_ worker: WorkerID) -> Bool { trial?.worker != worker }

  /// A suspect that one more charge would end may start on the fetcher, which is kept for it; one has its trial at a time.
  ///
  /// - Parameter isIdle: The fetcher is on nothing else.
  mutating func mayBeTried(_ job: JobID, on worker: WorkerID, isIdle: Bool, at now: Moment) -> Bool {
    let end = now.advanced(byMilliseconds: Self.trialMilliseconds << mistrials[job, default: 0])
    if trial == nil { trial = Trial(job: job, worker: worker, end: end) }
    guard let known = trial, known.job == job, known.worker == worker, isIdle || known.end <= now else {
      return false
    }
    trial?.end = end
    tried.insert(job)
    return true
  }

  /// When the fetcher that is kept for a trial is for all again, unless the suspect begins then.
  var trialEnd: Moment? { trial?.end }

  mutating func endTrial(at now: Moment) {
    if let trial, trial.end <= now { self.trial = nil }
  }

  mutating func fetcherLeft(_ worker: WorkerID) {
    if trial?.worker == worker { trial = nil }
  }

  mutating func began(_ job: JobID, on worker: WorkerID) {
    guard knows(job) else { return }
    stopWaiting(job)
    running[worker, default: []].insert(job)
  }

  mutating func ended(_ job: JobID, on worker: WorkerID) {
    guard !running.isEmpty, running[worker]?.remove(job) != nil else { return }
    tried.remove(job)
    if trial?.job == job { trial = nil }
    if running[worker]?.isEmpty == true { running[worker] = nil }
  }

  /// The job is over, or no fetcher died of an attempt.
  mutating func cleared(_ job: JobID) {
    guard hasAnything(on: job) else { return }
    stopWaiting(job)
    if trial?.job == job { trial = nil }
    (suspicions[job], silences[job], mistrials[job]) = (nil, nil, nil)
    bystanders.remove(job)
  }

  private mutating func stopWaiting(_ job: JobID) {
    guard suspicions[job]?.isWaiting == true else { return }
    suspicions[job]?.isWaiting = false
    waiting.removeAll { $0 == job }
  }

  /// A fetcher died.
  ///
  /// - Parameters:
  ///   - executing: Jobs of which something had come, or which came to the fetcher after it spoke last.
  ///   - waiting: Jobs that waited for their servers when it spoke last.
  /// - Returns: The job to be charged; nil when several share the death.
  mutating func fetcherDied(executing: [JobID], waiting: [JobID]) -> JobID? {
    let known = (executing + waiting).filter(knows)
    let others = executing.filter { !knows($0) }
    // A job that waited at an earlier death waits again, until its fetcher has had the time to say so.
    let fresh = others.filter { silences[$0] == nil }
    let silent = waiting.filter { !knows($0) } + others.filter { silences[$0] != nil }
    if let only = known.first, known.count > 1 || executing.contains(only) || isDoubted(only) {
      suspect(known, in: known.allSatisfy { suspicions[$0]?.isOfWhole == true } ? 4 : 2)
      suspect(fresh.filter { !bystanders.insert($0).inserted }, in: 2)
      wereSilent(silent, weight: Self.explained)
      return known.count == 1 && !isMistrial(of: only, beside: fresh) ? only : nil
    }
    suspect(fresh, in: fresh.count > 2 ? 1 : 2)
    wereSilent(silent + known, weight: Self.unexplained)
    return fresh.count == 1 && silent.isEmpty && known.isEmpty ? fresh.first : nil
  }

  private mutating func isMistrial(of job: JobID, beside others: [JobID]) -> Bool {
    guard tried.contains(job), !others.isEmpty, mistrials[job, default: 0] < Self.mostMistrials else {
      return false
    }
    mistrials[job, default: 0] += 1
    return true
  }

  private mutating func wereSilent(_ jobs: [JobID], weight: UInt8) {
    for job in jobs { silences[job, default: 0] += weight }
    suspect(jobs.filter { isDoubted($0) && !knows($0) }, in: 8)
  }

  private func isDoubted(_ job: JobID) -> Bool { silences[job, default: 0] >= Self.doubted }

  /// Makes jobs suspects, in so many new groups, or in one for each.
  private mutating func suspect(_ jobs: [JobID], in groups: Int) {
    for group in 0..<groups {
      lastGroup += 1
      for job in jobs[jobs.count * group / groups..<jobs.count * (group + 1) / groups] {
        bystanders.remove(job)
        suspicions[job, default: Suspicion()].group = lastGroup
        suspicions[job]?.isOfWhole = groups == 1
      }
    }
  }
}
