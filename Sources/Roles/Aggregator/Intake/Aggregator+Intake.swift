import JSONQuery
import Links
import Pipeline

/// What producers send.
extension Aggregator {
  func take(_ submit: Submit, over secret: LaneSecret, _ transaction: inout Transaction) async {
    var submit = submit
    submit.jobs = submit.jobs.map(\.bounded)
    guard await connections.meet(submit.replyTo, secret) else { return }
    if let refusal = Intake.refusal(of: submit) {
      refuse(submit, refusal)
      return
    }
    if let missing = health.standing.missing { return refuse(submit, .withoutLedger(submit.batch, missing)) }
    guard isWelcome(submit), hasRoom(for: submit) else { return }
    var submission = Submission(
      submit: submit, incoming: JobsIn([], of: submit.batch, from: submit.replyTo))
    for job in submit.jobs {
      var item: JobsIn.Item = (job, "", nil)
      if let cause = interruptions[job.batch] {
        submission.incoming.ends.append(Settlement(of: job, failing: .cancelled(cause)))
      } else if job.kind != .run {
        do {
          let (host, link) = try Intake.place(of: job)
          (item.host, item.link) = (host, link.map { LinkKey(host: host, link: $0.href) })
          submission.jobs.append((job, host, link))
        } catch {
          submission.incoming.ends.append(Settlement(of: job, refused: error))
        }
      }
      submission.incoming.jobs.append(item)
    }
    submission.goesOn = submitters.goesOn(submit)
    submission.incoming.total = submit.total
    // Also without terms of its own: what the batch had from before counts again.
    submission.incoming.terms = submit.terms ?? (submit.sequence == 0 ? BatchTerms() : nil)
    transaction.submissions.append(submission)
  }

  /// Whether no other producer submits to the batch, and this producer was not refused before.
  private func isWelcome(_ submit: Submit) -> Bool {
    let now = ports.clock.now
    let verdict = submitters.spoke(submit.replyTo, of: submit.batch, at: now) { [connections] other in
      connections.heard(other, within: Submitters.aliveMilliseconds, at: now)
    }
    switch verdict {
    case .welcome: return true
    case .waits: return false
    case .taken:
      refuse(submit, .taken(submit.batch))
      return false
    case .refused(let differing):
      answer(submit, differing: differing)
      return false
    }
  }

  func hasProducer(_ batch: BatchID, at now: Moment) -> Bool {
    submitters.owner(of: batch).map {
      connections.heard($0, within: Submitters.aliveMilliseconds, at: now)
    } ?? false
  }

  private func refuse(_ submit: Submit, _ refusal: Failure) {
    ports.log.record(
      .warning, "submission refused",
      [.batch(submit.batch), LogField("cause", refusal.message)])
    answer(submit, refusal: refusal)
  }

  private func answer(
    _ submit: Submit, inserted: Int = 0, differing: DifferingJobs? = nil, refusal: Failure? = nil
  ) {
    var receipt = Receipt(
      batch: submit.batch, sequence: submit.sequence, inserted: UInt32(inserted), differing: differing)
    (receipt.refusal, receipt.lineage) = (refusal, dispatcher.leaseKey.lineage)
    connections.add(.receipt(receipt), to: submit.replyTo)
  }

  /// Jobs of a new batch may start in the turn in which they come: one commit has them and their leases.
  /// What turns out to be known all the same is let go with the commit's answer. What is sent again, or of a batch that
  /// cannot be like any other, waits for that answer.
  func admitNew(_ transaction: inout Transaction, at now: Moment) async throws {
    guard !transaction.cancels else { return }
    let unusual = Set(
      transaction.submissions.map(\.incoming).filter { !($0.terms?.areUsual ?? true) }.map(\.batch))
    for index in transaction.submissions.indices.prefix(Self.mostAdmitted) {
      // What is cancelled already does not begin; its sweep ends it.
      for sweep in chores.sweeps where sweep.isOfSingleJobs {
        transaction.submissions[index].jobs.removeAll { sweep.awaits($0.job.id) }
      }
      let submission = transaction.submissions[index]
      guard let submit = submission.submit, submission.goesOn, !submission.jobs.isEmpty,
        interruptions[submit.batch] == nil,
        !unusual.contains(submit.batch), !dispatcher.limits.knows(submit.batch),
        !submission.jobs.contains(where: { $0.job.deadline.map { $0 <= now } ?? false }),
        try await isNew(submit)
      else { continue }
      let new = submission.jobs.map { $0.job.id }.filter { dispatcher.jobs[$0] == nil }
      transaction.submissions[index].admitted = new
      admitJobs(of: submission, at: now)
    }
  }

  /// Submissions of a turn: of each batch among them the ledger may have to be asked.
  private static let mostAdmitted = 32

  private func isNew(_ submit: Submit) async throws -> Bool {
    if let known = submitters.isNew(submit.batch) { return known }
    let isNew = try await read { try await $0.progress(of: submit.batch) } == nil
    submitters.isNew(submit.batch, isNew)
    return isNew
  }

  private func admitJobs(of submission: Submission, at now: Moment) {
    for (job, host, link) in submission.jobs {
      admit(LedgerJob(job, life: JobLife(), at: now), host: host, link: link, at: now)
    }
    for (job, known) in submission.known { dispatcher.jobs[job]?.known = known }
    hasNewJobs = true
  }

  /// Jobs that were admitted and may not be as they were thought to be: those that have a lease are told of by its answer.
  func letGo(_ submission: Submission, at now: Moment) {
    for id in submission.admitted ?? [] {
      if case .leased? = dispatcher.jobs[id]?.place { continue }
      _ = dispatcher.removed(id, at: now)
    }
  }

  /// The submission is in the ledger. Jobs that were there before are over, in memory, or read from there in time.
  func accepted(_ submission: Submission, _ submit: Submit, _ insertion: Insertion, at now: Moment) {
    let count = insertion.count
    let isClosed = submit.total == nil ? nil : insertion.isClosed
    // One of the same turn was refused before it.
    let differing = insertion.differing ?? submitters.refusal(of: submit.replyTo, to: submit.batch)
    if count < submit.jobs.count {
      submitters.isNew(submit.batch, false)
      letGo(submission, at: now)
    }
    if let differing {
      submitters.refused(submit.replyTo, of: submit.batch, differing)
    } else if isClosed == true {
      submitters.closed(submit.batch, by: submit.replyTo)
    }
    if differing == nil, isClosed == false {
      // What was new is in the ledger all the same, and is done.
      refuse(submit, .tooFewJobs(submit))
    } else {
      answer(submit, inserted: count, differing: differing)
    }
    if submit.jobs.contains(where: { $0.kind == .run }) { runs.mayWait = true }
    for job in submission.left { leaveOut(job, at: now) }
    guard differing == nil, !(submission.jobs.isEmpty && submission.left.isEmpty) else { return }
    if interruptions[submit.batch] != nil {
      // Cancelled in this very transaction, or while it was under way.
      endJobs(of: submit.batch)
    } else if count == 0 || submission.jobs.isEmpty {
      return
    } else if count == submit.jobs.count {
      if submission.admitted == nil { admitJobs(of: submission, at: now) }
    } else {
      for (job, _, _) in submission.jobs where dispatcher.jobs[job.id] == nil { leaveOut(job, at: now) }
    }
  }
}

/// Who may say what. A worker speaks for itself alone, and each lane has its rights.
extension Aggregator {
  func admits(_ envelope: Envelope) -> Bool {
    if let worker = envelope.message.speaker, !isProven(worker, by: envelope.secret) {
      return refuse(envelope, because: "it was sent in another worker's name")
    }
    guard mayBeSaid(envelope) else { return refuse(envelope, because: "its sender has no right to it") }
    return true
  }

  /// The hash is only needed for workers that have not spoken to this aggregator.
  private func isProven(_ worker: WorkerID, by secret: LaneSecret) -> Bool {
    registry.secret(of: worker).map { $0 == secret } ?? worker.isProven(by: secret)
  }

  private func mayBeSaid(_ envelope: Envelope) -> Bool {
    switch envelope.message {
    case .hello(let hello): LaneRights.work(as: hello.role).map { has($0, envelope) } ?? false
    case .credit, .hostSlotRequest: envelope.rights.contains(.fetcher)
    case .result, .giveBack, .bye: !envelope.rights.isDisjoint(with: [.fetcher, .decoder])
    case .ask(let ask): has(questions.right(of: ask.name), envelope)
    case .submit, .cancel, .drain, .query: has(.client, envelope)
    // These are for others, and are counted as strays.
    case .roster, .receipt, .job, .document, .ack, .answer, .tell, .hostSlotGrant: true
    }
  }

  /// Over Unix sockets everybody may decode, and who has read the run directory's key may do all.
  private func has(_ right: LaneRights, _ envelope: Envelope) -> Bool {
    guard envelope.rights.contains(right) else { return false }
    guard let key = settings.runKey, right != .decoder else { return true }
    return key.hasMade(envelope.secret)
  }

  /// - Returns: False.
  func refuse(_ envelope: Envelope, because cause: String) -> Bool {
    let claim = claim(of: envelope.message)
    work.refusedMessages.change(claim.rawValue) { $0 += 1 }
    if let count = refused.came(at: ports.clock.now) {
      ports.log.record(
        .warning, "message refused",
        envelope.message.logFields
          + [LogField("claims", claim.rawValue), LogField("cause", cause), LogField("times", count)])
    }
    return false
  }

  private func claim(of message: Message) -> RefusedMessages.Claim {
    let role: Role? =
      if case .hello(let hello) = message { hello.role } else {
        message.speaker.flatMap { registry.workers[$0]?.role }
      }
    return switch role {
    case .fetcher: .fetcher
    case .decoder: .decoder
    case .producer, .aggregator, nil: message.speaker == nil ? .client : .worker
    }
  }
}

/// Messages whose sender is not who they name, or may not say them.
enum RefusedMessages {
  /// Whom a message claims to be from.
  enum Claim: String, CaseIterable, Sendable {
    case client, fetcher, decoder, worker
  }
}

/// What a peer can make happen any number of times, and the log tells of so often at most.
struct RareReport: Sendable {
  private let milliseconds: Int64
  private var next: Moment?
  private var untold: UInt64 = 0

  init(everyMilliseconds milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// - Returns: How many came since the last report; nil when it is not time for the next.
  mutating func came(at now: Moment) -> UInt64? {
    untold += 1
    guard next.map({ now >= $0 }) ?? true else { return nil }
    defer { untold = 0 }
    next = now.advanced(byMilliseconds: milliseconds)
    return untold
  }
}
