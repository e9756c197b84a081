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
    let jobs = transaction.submissions.flatMap { submission in
      submission.jobs.map { (job: $0.job, sender: submission.submit.replyTo) }
    }
    let findings = await lookUp(jobs.map(\.job).filter(isNew), at: now)
    guard !findings.isEmpty else { return }
    transaction.leaveOut { job in
      switch findings[job] {
      case .answer: .isOver
      case .notRead: .isLeft
      case .mayBeRenewed(let known): .isKnown(known)
      case nil: .isNew
      }
    }
    for (job, sender) in jobs { answer(job, findings[job.id], from: sender, &transaction, at: now) }
  }

  /// Ends the jobs of a page whose answers are known. Failures are not used here, because these may be jobs that are to
  /// be tried once more.
  ///
  /// - Returns: The others, and how many of the page have been seen to.
  func answerFromCache(
    _ page: [OpenJob], _ transaction: inout Transaction, at now: Moment
  ) async -> (rest: [OpenJob], read: Int, known: [JobID: Validators]) {
    guard caching != nil else { return (page, page.count, [:]) }
    let findings = await lookUp(page.filter(isOurs).map(\.job).filter(isNew), at: now)
    var rest: [OpenJob] = []
    var known: [JobID: Validators] = [:]
    for (index, open) in page.enumerated() {
      switch findings[open.job.id] {
      case .notRead: return (rest, index, known)
      case .answer(let kept, _) where kept.failure == nil:
        answer(open.job, findings[open.job.id], &transaction, at: now)
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

  private func answer(
    _ job: Job, _ finding: CacheFinding?, from sender: Address? = nil, _ transaction: inout Transaction,
    at now: Moment
  ) {
    guard case .answer(let kept, let age) = finding else { return }
    var end = Settlement(of: job, .cached(kept, ageMilliseconds: age))
    end.sender = sender
    transaction.add(.settle(end))
    work.fromCache += 1
    acks.noteRow(at: now)
  }
}
