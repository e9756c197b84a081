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
