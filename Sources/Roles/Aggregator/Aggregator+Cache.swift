import JSONQuery
import Links
package import Pipeline

/// Answers that are kept for later jobs: where, and for how long.
package struct AnswerCaching: Sendable {
  package var cache: any ResultCache
  package var rule: CacheRule
  /// Stands for all settings that change answers: those of other settings are not found.
  package var settings: UInt64

  package init(in cache: any ResultCache, for rule: CacheRule, settings: UInt64 = 0) {
    self.cache = cache
    self.rule = rule
    self.settings = settings
  }

  /// The key of a job's answer; nil for jobs whose answer is for one alone.
  func question(of job: Job) -> String? {
    guard let question = Question(job), question.link.credentials == nil else { return nil }
    return question.key(settings: settings)
  }
}

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

/// Keeping answers, and renewing those that have not changed.
extension Aggregator {
  /// What goes out with a job whose answer may be kept.
  func cachePolicy(for job: Job) -> CachePolicy? {
    guard let caching, caching.question(of: job) != nil, dispatcher.jobs[job.id]?.isUncacheable != true else {
      return nil
    }
    return CachePolicy(known: dispatcher.jobs[job.id]?.known)
  }

  /// Keeps the answer to a job, if it is one that others may have.
  func keep(_ result: JobResult, of job: Job, _ transaction: inout Transaction, at now: Moment) {
    guard let caching, let note = result.caching, !result.standsAnyway, CacheRule.mayCache(result.failure),
      result.members.count <= CacheRule.longestAnswer, let question = caching.question(of: job)
    else { return }
    let json = result.answer.json
    guard json.count <= CacheRule.longestAnswer else { return }
    transaction.answersToCache.append(
      CachedAnswer(
        question: question, storedAt: now, failure: result.failure?.kind,
        isOfFailure: note.isOfFailure || result.failure != nil,
        validators: result.failure == nil ? note.validators : nil, json: json))
  }

  /// Hands over what a turn keeps before its commit, so that one transaction can take both.
  func storeAnswers(of transaction: Transaction) async {
    guard let caching, !transaction.answersToCache.isEmpty else { return }
    do {
      try await caching.cache.store(transaction.answersToCache)
    } catch {
      tellOnce("answers not kept", error)
    }
  }

  /// Ends the jobs whose answers have not changed with what is kept. When that is gone, or is another one by now, or the
  /// way to it has changed, they ask anew, without charge.
  func renew(_ transaction: inout Transaction, at now: Moment) async {
    guard !transaction.unchanged.isEmpty else { return }
    let results = exchange(&transaction.unchanged, with: [])
    let asked = results.compactMap { result in
      dispatcher.entry(under: result.lease.token).map { caching?.question(of: $0.job) ?? "" }
    }
    var kept: [String: CachedAnswer] = [:]
    for answer in await find(asked, bytes: .max) ?? [] {
      if let answer, answer.failure == nil { kept[answer.question] = answer }
    }
    for result in results {
      guard let entry = dispatcher.entry(under: result.lease.token) else { continue }
      if let answer = caching?.question(of: entry.job).flatMap({ kept[$0] }),
        isUnchanged(answer, by: result, entry)
      {
        renew(answer, by: result, entry.job, &transaction, at: now)
      } else {
        dispatcher.jobs[entry.job.id]?.known = nil
        askAnew(entry, under: result.lease.token, &transaction, at: now)
      }
    }
  }

  private func isUnchanged(_ answer: CachedAnswer, by result: JobResult, _ entry: Dispatcher.Entry) -> Bool {
    answer.validators == entry.known
      && RowComposer.fits(.cached(answer, ageMilliseconds: 0, isRenewed: true), for: entry.job)
      && Self.trail(result.members) == Self.trail(answer.json)
  }

  /// The addresses that members of a row tell, on the way and at its end.
  private static func trail(_ members: [UInt8]) -> [String?] {
    guard let root = try? JSONDocument(members: members).root else { return [] }
    return (root["hops"]?.elements.map { $0["url"]?.string } ?? []) + [root["url"]?.string]
  }

  private func renew(
    _ answer: CachedAnswer, by result: JobResult, _ job: Job, _ transaction: inout Transaction, at now: Moment
  ) {
    if result.lease.attempt == 1 { retryBudget.firstAttemptEnded() }
    dispatcher.learned(from: result, at: now)
    var renewed = answer
    renewed.storedAt = now
    renewed.validators = result.caching?.validators ?? answer.validators
    transaction.answersToCache.append(renewed)
    work.revalidated += 1
    let renewal = RowOutcome.cached(answer, ageMilliseconds: 0, isRenewed: true)
    _ = settle(job, under: result.lease, renewal, &transaction, at: now)
  }
}
