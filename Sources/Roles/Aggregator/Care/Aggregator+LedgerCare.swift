import JSONQuery
import Pipeline
import Scheduling

/// Care of the ledger while jobs run: the aggregator is the only process that may touch it.
extension Aggregator {
  /// Begins with it when it is its turn.
  func take(_ order: CareOrder, _ ask: Ask) {
    guard chores.care.works.count < LedgerCare.most else {
      let cause = "\(LedgerCare.most) such commands wait already; try again when they are done"
      return say(LedgerReport.failed(order.task, cause), to: ask)
    }
    var run = LedgerTaskRun(order.task, id: ask.id, at: ports.clock.now)
    run.askedAt = ports.clock.now
    chores.care.begin(run)
    say(run.report, to: ask)
  }

  /// An aggregator that knows nothing of an order has started since, and does not begin anew.
  func careReport(on question: CareQuestion) -> LedgerReport {
    chores.care.report(on: question.id, at: ports.clock.now)
      ?? .failed(question.task, "the aggregator was restarted meanwhile; run the command again")
  }

  func sizeReport() async -> RawJSON {
    do {
      return RawJSON(of: LedgerSizeReport(try await measure()))
    } catch {
      return RawJSON(of: LedgerReport.failed(.size, error.message))
    }
  }

  func measure() async throws(LedgerError) -> LedgerSize {
    let size = try await listening { [ledger] () throws(LedgerError) in try await ledger.size() }
    chores.care.size = size
    return size
  }

  /// Takes one step of what is to be done.
  func careForLedger(at now: Moment) async {
    if let gone = chores.care.dropUnasked(at: now), gone.task == .copy { await ledger.endCopy() }
    guard let work = chores.care.due(at: now) else { return }
    let began = ports.clock.microseconds
    let stepped = try? await listening { [ledger, term] () throws(LedgerError) in
      var run = work
      await run.step(on: ledger, under: term)
      return run
    }
    guard let run = stepped else { return }
    tell(run.gone)
    chores.care.stepped(
      run, microseconds: ports.clock.microseconds - began, at: ports.clock.now, isQuiet: dispatcher.isQuiet)
    guard run.isOver else { return }
    await ended(run)
  }

  private func ended(_ run: LedgerTaskRun) async {
    switch run.task {
    case .copy: await ledger.endCopy()
    case .forget where run.onlyCounts: return
    case .forget:
      await forgot()
      if health.nextLook != nil { health.nextLook = ports.clock.now }
      if health.standing.isReserveGivenUp { beginShrinking() }
    case .size, .shrink: break
    }
    _ = try? await measure()
    switch run.report.state {
    case .working: break
    case .done: ports.log.record(.info, "ledger cared for", run.report.logFields)
    case .failed:
      ports.log.record(
        .warning, "ledger not cared for",
        [LogField("verb", run.report.verb), LogField("cause", run.report.cause ?? "")])
    }
  }

  func beginShrinking() {
    let now = ports.clock.now
    chores.care.begin(LedgerTaskRun(.shrink, id: ports.random.uuid(at: now), at: now))
  }

  /// What memory knows of batches that may be gone.
  func forgot() async {
    (sharing.isStale, hasNewJobs) = (true, true)
    try? await learnCancellations()
  }
}

extension LedgerReport {
  fileprivate var logFields: [LogField] {
    [LogField("verb", verb)] + (jobs.map { [LogField("jobs", $0)] } ?? [])
      + (bytes.map { [LogField("bytes", $0)] } ?? [])
  }
}
