public import Pipeline

/// A change of a ledger, in one word: tests list them in the order in which they happen.
public enum LedgerEvent: Sendable {
  case submit([Job], hosts: [String] = [], links: [LinkKey?] = [], from: Address? = nil)
  case close(BatchID, total: UInt64, from: Address? = nil)
  case terms(BatchID, BatchTerms, from: Address? = nil, total: UInt64? = nil)
  case pause(PauseScope, Pause)
  case unpause(PauseScope, dueBy: Moment? = nil)
  case cancel(BatchID, BatchCancellation)
  case resume(BatchID)
  case abandon(BatchID)
  case grant(JobID, Lease, to: WorkerID)
  case settle(Settlement)
  case retry(JobID, LeaseToken, at: Moment, cause: Failure)
  case becameDue(JobID)
  case giveBack(JobID, LeaseToken)
  case crash(JobID, LeaseToken)
  case absolve(JobID, from: UInt8)
  case confirmRows(BatchID, upTo: UInt64)
  case requeue(JobID)
  case seen(WorkerID)
}

public enum LedgerAnswer: Hashable, Sendable {
  case applied
  case stale
  case inserted(Int, differing: DifferingJobs? = nil)
  case cancelled(jobs: UInt64)
  case terms(BatchTerms, isPaused: Bool)

  fileprivate init(applied: Bool) { self = applied ? .applied : .stale }
}

extension Ledger {
  /// Commits in the name of whoever owns it.
  ///
  /// - Returns: An answer to each.
  public func commit(_ events: [LedgerEvent], at now: Moment) async throws(LedgerError) -> [LedgerAnswer] {
    try await commit(events, under: try await owner().term, at: now)
  }

  public func commit(
    _ events: [LedgerEvent], under term: LedgerTerm, at now: Moment
  ) async throws(LedgerError) -> [LedgerAnswer] {
    let (changes, places) = Changes.of(events, under: term)
    let made = try await commit(changes, at: now)
    return places.map { $0.answer(in: made) }
  }
}

/// Where the answer to an event stands.
private enum Place {
  /// What comes in is in a submission for each batch.
  case jobs(Range<Int>)
  case closing(Int)
  case terms(Int)
  case job(Int)
  case batch(Int)
  case seen

  func answer(in made: ChangesMade) -> LedgerAnswer {
    switch self {
    case .jobs(let indexes):
      .inserted(
        made.submissions[indexes].reduce(0) { $0 + $1.count },
        differing: made.submissions[indexes].reduce(nil) { .sum($0, $1.differing) })
    case .closing(let index): LedgerAnswer(applied: made.submissions[index].isClosed)
    case .terms(let index): made.submissions[index].answerToTerms
    case .job(let index): LedgerAnswer(applied: made.jobs[index])
    case .batch(let index): LedgerAnswer(made.batches[index])
    case .seen: .applied
    }
  }
}

extension Insertion {
  fileprivate var answer: LedgerAnswer { .inserted(count, differing: differing) }
  fileprivate var answerToTerms: LedgerAnswer { terms.map { .terms($0, isPaused: isPaused) } ?? .stale }
}

extension LedgerAnswer {
  fileprivate init(_ answer: BatchAnswer) {
    self =
      switch answer {
      case .applied: .applied
      case .stale: .stale
      case .cancelled(let jobs): .cancelled(jobs: jobs)
      }
  }
}

extension Changes {
  fileprivate static func of(
    _ events: [LedgerEvent], under term: LedgerTerm
  ) -> (changes: Changes, places: [Place]) {
    var changes = Changes(under: term)
    let places = events.map { changes.add($0) }
    return (changes, places)
  }

  fileprivate mutating func add(_ event: LedgerEvent) -> Place {
    switch event {
    case .submit(let jobs, let hosts, let links, let sender):
      return add(jobs, hosts, links, from: sender)
    case .close(let batch, let total, let sender):
      let index = submission(of: batch, from: sender) { $0.total == nil && $0.terms == nil }
      submissions[index].total = total
      return .closing(index)
    case .terms(let batch, let terms, let sender?, let total):
      let index = submission(of: batch, from: sender) { $0.total == total && $0.terms == nil }
      (submissions[index].total, submissions[index].terms) = (total, terms)
      return .terms(index)
    case .terms(let batch, let terms, nil, _): return change(.terms(batch, terms))
    case .pause(let scope, let pause): return change(.pause(scope, pause))
    case .unpause(let scope, let moment): return change(.pause(scope, nil, dueBy: moment))
    case .cancel(let batch, let cancellation): return change(.cancel(batch, cancellation))
    case .resume(let batch): return change(.resume(batch))
    case .abandon(let batch): return change(.abandon(batch))
    case .confirmRows(let batch, let number): return change(.confirmRows(batch, upTo: number))
    case .grant(let job, let lease, let worker): return add(job, .granted(lease, to: worker))
    case .settle(let settlement): return add(settlement.job, .ended(settlement))
    case .retry(let job, let token, let moment, let cause):
      return add(job, .failedForNow(token, until: moment, cause))
    case .becameDue(let job): return add(job, .becameDue)
    case .giveBack(let job, let token): return add(job, .returned(token))
    case .crash(let job, let token): return add(job, .crashed(token))
    case .absolve(let job, let crashes): return add(job, .absolved(from: crashes))
    case .requeue(let job): return add(job, .requeued)
    case .seen(let worker):
      seen.append(worker)
      return .seen
    }
  }

  private mutating func add(
    _ jobs: [Job], _ hosts: [String], _ links: [LinkKey?], from sender: Address?
  ) -> Place {
    let items = jobs.enumerated().map { index, job -> JobsIn.Item in
      (job, index < hosts.count ? hosts[index] : "", index < links.count ? links[index] : nil)
    }
    let first = submissions.count
    for item in items {
      if submissions.count == first || submissions.last?.batch != item.job.batch {
        submissions.append(JobsIn([], of: item.job.batch, from: sender))
      }
      submissions[submissions.count - 1].jobs.append(item)
    }
    return .jobs(first..<submissions.count)
  }

  private mutating func add(_ job: JobID, _ event: JobChange.Event) -> Place {
    jobs.append(JobChange(job, event))
    return .job(jobs.count - 1)
  }

  private mutating func change(_ change: BatchChange) -> Place {
    batches.append(change)
    return .batch(batches.count - 1)
  }

  /// The last one, if it is of the batch and can take more; else a new one.
  private mutating func submission(
    of batch: BatchID, from sender: Address?, where takes: (JobsIn) -> Bool
  ) -> Int {
    let known = submissions.last.map { $0.batch == batch && $0.sender == sender && takes($0) } ?? false
    if !known { submissions.append(JobsIn([], of: batch, from: sender)) }
    return submissions.count - 1
  }
}

extension Changes {
  /// What they are, each with its answer.
  public func events(_ made: ChangesMade) -> [(event: LedgerEvent, answer: LedgerAnswer)] {
    zip(submissions, made.submissions).flatMap { $0.events($1) }
      + zip(jobs, made.jobs).map { ($0.ledgerEvent, LedgerAnswer(applied: $1)) }
      + zip(batches, made.batches).map { ($0.ledgerEvent, LedgerAnswer($1)) }
      + seen.map { (.seen($0), .applied) }
  }
}

extension JobsIn {
  fileprivate func events(_ made: Insertion) -> [(event: LedgerEvent, answer: LedgerAnswer)] {
    var events: [(LedgerEvent, LedgerAnswer)] = []
    if !jobs.isEmpty {
      let event = LedgerEvent.submit(
        jobs.map(\.job), hosts: jobs.map(\.host), links: jobs.map(\.link), from: sender)
      events.append((event, made.answer))
    }
    events += zip(ends, made.ends).map { (.settle($0), LedgerAnswer(applied: $1)) }
    if let total { events.append((.close(batch, total: total, from: sender), .init(applied: made.isClosed))) }
    if let terms {
      events.append((.terms(batch, terms, from: sender, total: total), made.answerToTerms))
    }
    return events
  }
}

extension JobChange {
  fileprivate var ledgerEvent: LedgerEvent {
    switch event {
    case .granted(let lease, let worker): .grant(job, lease, to: worker)
    case .ended(let settlement): .settle(settlement)
    case .failedForNow(let token, let moment, let cause): .retry(job, token, at: moment, cause: cause)
    case .becameDue: .becameDue(job)
    case .returned(let token): .giveBack(job, token)
    case .crashed(let token): .crash(job, token)
    case .absolved(let crashes): .absolve(job, from: crashes)
    case .requeued: .requeue(job)
    }
  }
}

extension BatchChange {
  fileprivate var ledgerEvent: LedgerEvent {
    switch self {
    case .terms(let batch, let terms): .terms(batch, terms)
    case .pause(let scope, let pause?, dueBy: _): .pause(scope, pause)
    case .pause(let scope, nil, let moment): .unpause(scope, dueBy: moment)
    case .cancel(let batch, let cancellation): .cancel(batch, cancellation)
    case .resume(let batch): .resume(batch)
    case .abandon(let batch): .abandon(batch)
    case .confirmRows(let batch, let number): .confirmRows(batch, upTo: number)
    }
  }
}
