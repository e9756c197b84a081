import Pipeline
import Scheduling

/// Answers of earlier jobs that serve later ones.
extension Aggregator {
  /// What is kept for a job.
  enum CacheFinding {
    case answer(CachedAnswer, ageMilliseconds: Int64)
    case mayBeRenewed(Validators)
    /// There was enough to read before.
    case notRead
  }

  /// Bytes of kept answers that are read at once, but for the last.
  private static let mostReadBytes = 16 << 20

  /// Ends the jobs of new submissions whose answers are known. All of a turn are looked up at once.
  func answerSubmissions(_ transaction: inout Transaction, at now: Moment) async {
    guard caching != nil else { return }
    let jobs = transaction.submissions.map { $0.submit == nil ? [] : $0.jobs.map(\.job) }
    let findings = await lookUp(jobs.joined().filter(isNew), at: now)
    guard !findings.isEmpty else { return }
    for (index, jobs) in jobs.enumerated() where !jobs.isEmpty {
      transaction.submissions[index].leaveOut(findings)
      transaction.submissions[index].incoming.ends += jobs.compactMap { answer($0, findings[$0.id], at: now) }
    }
  }

  /// Ends the jobs of a page whose answers are known. Failures are not used here, because these may be jobs that are to
  /// be tried once more.
  ///
  /// - Returns: The others, and how many of the page have been seen to.
  func answerFromCache(
    _ page: [LedgerJob], _ transaction: inout Transaction, at now: Moment
  ) async -> (rest: [LedgerJob], read: Int, known: [JobID: Validators]) {
    guard caching != nil else { return (page, page.count, [:]) }
    let findings = await lookUp(page.filter(isOurs).map(\.job).filter(isNew), at: now)
    var rest: [LedgerJob] = []
    var known: [JobID: Validators] = [:]
    for (index, open) in page.enumerated() {
      switch findings[open.job.id] {
      case .notRead: return (rest, index, known)
      case .answer(let kept, _) where kept.failure == nil:
        answer(open.job, findings[open.job.id], at: now).map { transaction.end($0) }
      case .mayBeRenewed(let validators):
        known[open.job.id] = validators
        rest.append(open)
      case .answer, nil: rest.append(open)
      }
    }
    return (rest, page.count, known)
  }

  /// No worker is on it, and it is wanted.
  private func isNew(_ job: Job) -> Bool {
    dispatcher.jobs[job.id] == nil && interruptions[job.batch] == nil
  }

  private func lookUp(_ jobs: [Job], at now: Moment) async -> [JobID: CacheFinding] {
    guard let caching else { return [:] }
    let asked = jobs.compactMap { job in caching.question(of: job).map { (job: job, question: $0) } }
    guard let found = await find(asked.map(\.question), bytes: Self.mostReadBytes) else { return [:] }
    var findings: [JobID: CacheFinding] = [:]
    for (index, job) in asked.map(\.job).enumerated() {
      guard index < found.count else {
        findings[job.id] = .notRead
        continue
      }
      guard let kept = found[index], RowComposer.fits(.cached(kept, ageMilliseconds: 0), for: job) else {
        continue
      }
      switch caching.rule.verdict(on: kept, at: now) {
      case .fresh(let age): findings[job.id] = .answer(kept, ageMilliseconds: age)
      case .mayBeRenewed(let validators): findings[job.id] = .mayBeRenewed(validators)
      case .tooOld: break
      }
    }
    return findings
  }

  /// Without a cache, nothing else changes.
  func find(_ questions: [String], bytes: Int) async -> [CachedAnswer?]? {
    guard let caching, !questions.isEmpty else { return nil }
    do {
      return try await caching.cache.find(questions, bytes: bytes)
    } catch {
      tellOnce("kept answers not read", error)
      return nil
    }
  }

  /// Without a cache all jobs are simply done, so once is enough.
  func tellOnce(_ message: StaticString, _ error: LedgerError) {
    guard cacheFaults.insert(error.message).inserted else { return }
    ports.log.record(.warning, message, [LogField("cause", error.message)])
  }

  private func answer(_ job: Job, _ finding: CacheFinding?, at now: Moment) -> Settlement? {
    guard case .answer(let kept, let age) = finding else { return nil }
    work.cached += 1
    return Settlement(of: job, .cached(kept, ageMilliseconds: age))
  }
}
