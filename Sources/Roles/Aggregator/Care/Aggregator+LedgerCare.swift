import JSONQuery
import Pipeline
import Scheduling

/// Care of the ledger while jobs run: the aggregator is the only process that may touch it.
extension Aggregator {
  /// Begins with it when it is its turn.
  func take(_ order: CareOrder, _ ask: Ask) {
    let now = ports.clock.now
    guard care.works.count < LedgerCare.most else {
      let cause = "\(LedgerCare.most) such commands wait already; try again when they are done"
      return say(LedgerReport.failed(order.task, cause), to: ask)
    }
    let run = LedgerTaskRun(order.task, id: ask.id, at: now)
    care.begin(run, for: ask.id, at: now)
    say(run.report, to: ask)
  }

  /// An aggregator that knows nothing of an order has started since, and does not begin anew.
  func careReport(on question: CareQuestion) -> LedgerReport {
    care.asked(question.id, at: ports.clock.now)
      ?? .failed(question.task, "the aggregator was restarted meanwhile; run the command again")
  }

  func sizeReport() async -> RawJSON {
    do {
      let size = try await listening { [ledger] () throws(LedgerError) in try await ledger.size() }
      care.size = size
      return RawJSON(of: LedgerSizeReport(size))
    } catch {
      return RawJSON(of: LedgerReport.failed(.size, error.message))
    }
  }

  /// Takes one step of what is to be done.
  func careForLedger(at now: Moment) async {
    // Those that still wait for their turn have begun nothing.
    let first = care.works.first?.query
    for gone in care.dropUnasked(at: now) where gone.query == first && gone.run.task == .copy {
      await ledger.endCopy()
    }
    guard let work = care.due(at: now) else { return }
    let began = ports.clock.microseconds
    let ending = try? await listening { [ledger, term] () throws(LedgerError) in
      var run = work.run
      await run.step(on: ledger, under: term)
      return run
    }
    guard let run = ending else { return }
    tell(run.gone)
    care.stepped(
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
      if health.standing.isReserveGivenUp {
        let now = ports.clock.now
        care.begin(LedgerTaskRun(.shrink, id: ports.random.uuid(at: now), at: now), for: nil, at: now)
      }
    case .size, .shrink: break
    }
    let size = try? await listening { [ledger] () throws(LedgerError) in try await ledger.size() }
    care.size = size ?? care.size
    switch run.report.state {
    case .working: break
    case .done: ports.log.record(.info, "ledger cared for", run.report.logFields)
    case .failed:
      ports.log.record(
        .warning, "ledger not cared for",
        [LogField("verb", run.report.verb), LogField("cause", run.report.cause ?? "")])
    }
  }

  /// What memory knows of batches that may be gone.
  func forgot() async {
    (sharesAreStale, hasNewJobs) = (true, true)
    guard let known = try? await ledger.batches(.cancelled) else { return }
    interruptions.keep(only: Set(known.items.map(\.id)))
  }
}

extension LedgerReport {
  fileprivate var logFields: [LogField] {
    [LogField("verb", verb)] + (jobs.map { [LogField("jobs", $0)] } ?? [])
      + (bytes.map { [LogField("bytes", $0)] } ?? [])
  }
}
