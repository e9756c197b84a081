import JSONQuery
import Pipeline
import Scheduling

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
        dispatcher.knows(nil, of: entry.job.id)
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
