import JSONQuery
import Links
import Pipeline

/// How the fleet is, as far as the aggregator knows.
extension Aggregator {
  /// The newest batches that a report names.
  private static let batchesShown = 20
  private static let runsShown = 20

  /// `up` says every few seconds how many workers it runs.
  static let fleetSizeMilliseconds: Int64 = 15_000
  /// How often to look for the oldest jobs while anything changes.
  private static let lookMilliseconds: Int64 = 1_000

  /// With why jobs cannot be done now; nil when they can.
  func status() async -> (status: FleetStatus, trouble: String?) {
    let now = ports.clock.now
    var status = FleetStatus(of: settings.program, uptimeMilliseconds: now.milliseconds(since: startedAt))
    var circumstances = FleetStatus.Circumstances(
      fault: ledgerTrouble, isDrained: dispatcher.isDraining,
      isUnattended: fleetSize.map { $0.until <= registry.watched } ?? false, up: fleetSize?.question.process)
    status.wanted = fleetSize.flatMap { $0.until > registry.watched ? $0.question.size : nil }
    (status.work, status.failures) = (work, recent.failures)
    (status.runnable, status.freeCredit) = (dispatcher.runnable(at: now), dispatcher.freeCreditInAll)
    status.suspects = dispatcher.suspects.count
    status.recent = FleetStatus.Recent(
      minute: recent.last(minutes: 1, at: now), quarter: recent.last(minutes: 15, at: now))
    status.retries = FleetStatus.Retries(left: retryBudget.left, refused: retryBudget.refused)
    status.hosts = hosts(at: now)
    status.paused = FleetStatus.Pause.all(sharing.pauses)
    status.ledger = ledgerStatus
    let refused = await refusals()
    status.refusedPeers = refused.total > 0 ? refused : nil
    let held = dispatcher.leases.counts
    let workers = registry.workers.sorted {
      ($0.value.role.rawValue, $0.key) < ($1.value.role.rawValue, $1.key)
    }
    status.workers = workers.map { report(on: $0.value, $0.key, held: held[$0.key] ?? 0, at: now) }
    status.silentWorkers = registry.silenced.map { report(on: $0.worker, $0.id, held: 0, at: now) }
    status.runs = runs.newest(Self.runsShown).map { run in
      FleetStatus.Run(
        job: run.job.id, batch: run.job.batch,
        input: run.job.input?.shortened(toBytes: Failure.longestMessage), steps: run.stepStates)
    }
    do {
      let summary = try await ledger.summary(batches: Self.batchesShown)
      (status.jobs, status.oldestMs) = (summary.jobs.byState, oldest.ages(of: summary.jobs, at: now))
      status.batches = summary.batches.map { BatchReport($0, at: now) }
      status.otherBatches = summary.otherBatches
    } catch {
      circumstances.fault = circumstances.fault ?? error.message
    }
    let trouble = status.judge(circumstances)
    return (status, trouble)
  }

  /// How much it keeps of jobs and of those who work on them, by name: 0 when nothing is open, or it is never let go.
  package var leakCounts: [String: Int] {
    dispatcher.leakCounts.merging(registry.leakCounts) { $1 }.merging(runs.leakCounts) { $1 }
  }

  private func hosts(at now: Moment) -> FleetStatus.Hosts {
    let troubles = dispatcher.health.troubles(at: now)
    return FleetStatus.Hosts(
      slow: troubles.slow, givenUp: troubles.givenUp, askedToWait: troubles.asked,
      jobsLost: givenUpHosts.jobs, worst: givenUpHosts.worst,
      others: givenUpHosts.others, inTrouble: dispatcher.health.worst(at: now))
  }

  private var ledgerTrouble: String? { health.trouble(besides: ledgerFault) }

  private var ledgerStatus: FleetStatus.Ledger {
    let standing = health.standing
    return FleetStatus.Ledger(
      keepsMs: settings.keepsBatchesMilliseconds, room: chores.care.size.map(LedgerRoom.init),
      reserve: .init(bytes: standing.reserve, givenUp: standing.isReserveGivenUp),
      fault: ledgerTrouble, missing: standing.missing?.message, lost: settings.lostLedger,
      work: chores.care.works.first?.report)
  }

  private func report(
    on worker: WorkerRegistry.Worker, _ id: WorkerID, held: Int, at now: Moment
  ) -> FleetStatus.Worker {
    let (hello, program) = (worker.hello, worker.hello?.program)
    return FleetStatus.Worker(
      id: id, role: worker.role.name, locality: worker.locality, address: worker.address?.text,
      pid: program?.knownProcess, held: held, free: dispatcher.freeCredit(of: id),
      heardMsAgo: registry.silence(of: id, worker, at: now), messages: hello?.messages ?? 0,
      version: program?.version.printed, wire: program?.wireText, verdict: worker.verdict.rawValue,
      leaving: worker.verdict == .draining ? true : nil, differs: worker.difference,
      sandbox: hello?.sandbox?.name)
  }

  /// Of a fleet: the status of a run in one process is not asked for.
  func lookForOldest(at now: Moment) async {
    guard settings.workersMayLive, oldest.isStale, oldest.nextLook.map({ $0 <= now }) ?? true else { return }
    oldest.nextLook = now.advanced(byMilliseconds: Self.lookMilliseconds)
    if let found = try? await ledger.oldestJobs() {
      (oldest.jobs, oldest.isStale) = (found, false)
    }
  }
}

/// The oldest jobs as they were found last.
struct KnownOldest: Sendable {
  var jobs: [JobPhase: Moment] = [:]
  /// Something was committed since.
  var isStale = true
  /// They are not looked for before.
  var nextLook: Moment?

  /// When to look again without a message; nil when nothing has changed.
  var nextWake: Moment? { isStale ? nextLook : nil }

  /// How old they are, in milliseconds, of states that have jobs: they may be of a look up to a second ago.
  func ages(of counts: JobCounts, at now: Moment) -> Members<OrNull<Int64>> {
    Members(
      zip(JobPhase.open, counts.byState.all).map { phase, count in
        let oldest = count.value > 0 ? jobs[phase] : nil
        return (phase.name, OrNull(wrappedValue: oldest.map { max(0, now.milliseconds(since: $0)) }))
      })
  }
}

extension FleetStatus.Pause {
  /// The oldest first.
  fileprivate static func all(_ pauses: [PauseScope: Pipeline.Pause]) -> [FleetStatus.Pause] {
    pauses.sorted { ($0.value.at, "\($0.key)") < ($1.value.at, "\($1.key)") }.map { scope, pause in
      FleetStatus.Pause(
        all: scope == .all ? true : nil, host: scope.host, batch: scope.batch, since: pause.at.timestamp,
        until: pause.until?.timestamp, by: pause.by, reason: pause.reason)
    }
  }
}

/// What became of jobs and batches.
extension Aggregator {
  func story(of id: JobID) async throws(LedgerError) -> RawJSON? {
    guard let story = try await ledger.story(of: id) else { return nil }
    let now = ports.clock.now
    return RawJSON(of: JobReport(story, expectation(of: story.history, at: now), at: now))
  }

  /// What is next for a job; nil when it is over.
  private func expectation(of history: LedgerJob, at now: Moment) -> JobReport.Expectation? {
    let job = history.job
    guard !history.life.isOver else { return nil }
    if let cause = interruptions[job.batch] {
      var next = JobReport.Expectation("cancellation", at: now)
      next.cause = cause
      return next
    }
    if dispatcher.isDraining { return .init("restart", at: now) }
    switch history.life.state {
    case .waiting: return .init("calls", at: now)
    case .scheduled(let moment): return .init("retry", until: moment, at: now)
    case .ready, .leased, .over:
      return dispatcher.expectation(of: job.id, in: job.batch, host: history.host, at: now)
    }
  }

  func list(_ search: BatchSearch) async throws(LedgerError) -> BatchSearch.Reply {
    var search = search
    search.limit = min(max(search.limit, 1), BatchSearch.mostFound)
    let page = try await ledger.batches(.listed(search))
    let now = ports.clock.now
    return Page(page.items.map { RawJSON(of: BatchReport($0, at: now)) }, next: page.next)
  }

  func list(_ listing: JobListing) async throws(LedgerError) -> JobListing.Reply {
    var search = listing.search
    search.limit = min(search.limit, JobSearch.mostFound)
    var link: WebURL?
    if let text = listing.link {
      guard let parsed = try? WebURL.userInput(text) else { return Page() }
      let key = LinkKey(host: parsed.hostKey, link: parsed.href).value
      (link, search.keys) = (parsed, key...key)
    }
    let page = try await ledger.jobs(search)
    // Other links may have the same key.
    let jobs = page.items.filter { history in
      link.map { wanted in (try? Intake.link(of: history.job)) == wanted } ?? true
    }
    let now = ports.clock.now
    return Page(jobs.map { RawJSON(of: JobEntry($0, at: now)) }, next: page.next)
  }
}
