import Pipeline
import Scheduling

/// Care of the ledger while jobs run: the aggregator is the only process that may touch it.
extension Aggregator {
  /// Something is to be done with the ledger, or a client asks how far that is.
  func take(care task: LedgerTask, isUnderWay: Bool, _ query: Query) async {
    guard task != .size else { return await tellSize(to: query) }
    guard let id = query.id else { return }
    let now = ports.clock.now
    var report = care.asked(id, at: now)
    if report == nil {
      if isUnderWay {
        report = .failed(task, "the aggregator was restarted meanwhile; run the command again")
      } else if care.works.count >= LedgerCare.most {
        report = .failed(task, "\(LedgerCare.most) such commands wait already; try again when they are done")
      } else {
        let run = LedgerTaskRun(task, id: id, at: now)
        care.begin(run, for: id, at: now)
        report = run.report
      }
    }
    guard let report else { return }
    connections.add(.answer(.care(report.json, to: id)), to: query.replyTo)
  }

  private func tellSize(to query: Query) async {
    do {
      let size = try await listening { [ledger] () throws(LedgerError) in try await ledger.size() }
      care.size = size
      connections.add(.answer(.care(size.report, to: query.id)), to: query.replyTo)
    } catch {
      let report = LedgerReport.failed(.size, error.message)
      connections.add(.answer(.care(report.json, to: query.id)), to: query.replyTo)
    }
  }

  /// A page of rows for one who exports them.
  func tellRows(of batch: BatchID?, after place: RowPlace, to client: Address) async {
    do {
      let page = try await ledger.storedRows(
        of: batch, after: place, limit: Followers.chunk, bytes: Followers.messageBytes)
      connections.add(.answer(.storedRows(after: place, page)), to: client)
    } catch {
      ports.log.record(.warning, "question not answered", [LogField("cause", error.message)])
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
    let ending = try? await listening { [ledger] () throws(LedgerError) in
      var run = work.run
      await run.step(on: ledger)
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
    case .failed(let cause):
      ports.log.record(
        .warning, "ledger not cared for", [LogField("verb", run.report.verb), LogField("cause", cause)])
    }
  }

  /// What memory knows of batches that may be gone.
  func forgot() async {
    (sharesAreStale, hasNewJobs) = (true, true)
    guard let known = try? await ledger.cancellations() else { return }
    interruptions.keep(only: Set(known.map(\.batch)))
  }
}

extension LedgerReport {
  fileprivate var logFields: [LogField] {
    [LogField("verb", verb)] + (jobs.map { [LogField("jobs", $0)] } ?? [])
      + (bytes.map { [LogField("bytes", $0)] } ?? [])
  }
}
