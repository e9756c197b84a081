import Pipeline
import Scheduling

/// What a producer says again while it is not answered, and when it gives up.
extension Producer {
  /// Rounds are counted, and not the time, in which this process or the reader of its rows may have stood still.
  func endAfterSilence(of rounds: Int64) throws {
    guard let longest = settings.timeoutMilliseconds else { return }
    guard rounds * Heartbeat.resendMilliseconds < longest else {
      throw FleetSilent(address: aggregator, milliseconds: longest, refusal: outbox?.refusal)
    }
    // The fleet always answers these, so that silence means that it is gone and not that it is slow. The status says
    // why it does not take what was submitted.
    if outbox?.isSending == false {
      let id = ports.random.uuid(at: ports.clock.now)
      outbox?.add(
        submissions.areReceipted
          ? .ask(Ask(ProgressQuestion(of: settings.batch), replyTo: inbox.address, id: id))
          : .ask(Ask(StatusQuestion(), replyTo: inbox.address, id: id)))
    }
  }

  /// A producer that waits for more input must say so: the aggregator closes the batch of one that says nothing.
  private func needsLifeSign(at now: Moment) -> Bool {
    settings.timeoutMilliseconds != nil && !isClosed && !isLeftOpen && submissions.needsLifeSign(at: now)
  }

  func repeatWhatIsUnanswered(at now: Moment) {
    guard outbox?.isSending == false else { return }
    for submit in submissions.repeated(at: now) { outbox?.add(.submit(submit)) }
    if needsLifeSign(at: now) { outbox?.add(.submit(submissions.lifeSign(at: now))) }
    if let cancelled { outbox?.add(.cancel(cancelled)) }
    if !unwanted.isEmpty {
      outbox?.add(.cancel(Cancel(.jobs(of: settings.batch, unwanted.sorted()), cause: Self.unwantedCause)))
    }
    if isLeftOpen, settings.leavesJobsOpen { outbox?.add(.drain) }
    // Rows that come need no asking; asked for twice, they come twice.
    if arrived == arrivedAtLastRound { askForRows() }
    arrivedAtLastRound = arrived
  }
}

// What a copy in place of the fleet's ledger has lost.
extension Producer {
  /// It was asked after a silence, or before the run with this inbox, and answered twice.
  func hear(_ tell: Tell) throws {
    guard confirmed > 0, tell.name == ProgressQuestion.name, tell.refusal == nil else { return }
    let known: BatchProgress?
    do { known = try tell.reply(as: ProgressQuestion.Reply.self) } catch { return }
    if let known { return try isStillThere(known.lineage) }
    guard settings.collectsRows, arrived >= submitted else {
      throw SubmissionRefused(
        failure: .lost(settings.batch, "it was deleted meanwhile, or a copy of before was"))
    }
    // It was forgotten after its last row.
    completeAt = arrived
  }

  /// What a ledger has confirmed is not in a copy of it from before.
  func isStillThere(_ lineage: UInt64) throws {
    guard lineage != 0 else { return }
    guard self.lineage ?? lineage == lineage else {
      throw SubmissionRefused(failure: .lost(settings.batch, "a copy was"))
    }
    self.lineage = lineage
  }
}
