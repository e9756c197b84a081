package import JSONQuery
package import Pipeline
import Recipes
import Scheduling

/// How the fleet is, as one JSON object of the schema `halyard.status/1`: for people, pages and alarms alike.
struct StatusReport: Sendable {
  struct Worker: Sendable {
    var id: WorkerID
    var role: Role
    var locality: String
    var address: Address?
    /// Jobs it answers for.
    var held: Int
    /// Further jobs it would take; nil for a worker that takes none from the aggregator.
    var freeCredit: UInt64?
    var heardMillisecondsAgo: Int64
    var verdict: MemberVerdict
    /// nil for one that does not say what it is.
    var program: WorkerProgram?
    /// Messages it has taken, by its last HELLO.
    var messages: UInt64
    /// nil for a worker that does not say.
    var sandbox: WorkerSandbox?
  }

  /// What the aggregator has done since it started.
  struct Work: Hashable, Sendable {
    /// Messages it has taken.
    var messages: UInt64 = 0
    var commits: UInt64 = 0
    /// Results under leases that no worker has: each was dropped.
    var strays: UInt64 = 0
    /// Messages that were refused, by whom they claim to be from.
    var refused: [RefusedMessages.Claim: UInt64] = [:]
    /// DRAINs from those who may not send one.
    var drainsRefused: UInt64 = 0
    /// Jobs that were answered from what is kept, and those whose server said that it is still so.
    var fromCache: UInt64 = 0
    var renewed: UInt64 = 0
  }

  /// What keeps it from asking too much of others.
  struct Manners: Hashable, Sendable {
    /// Retries that may be made now, and failures that were final because none were left.
    var retriesLeft: Int64 = RetryBudget.reserve
    var retriesRefused: UInt64 = 0
    /// Hosts that only fail: those that are asked one job at a time, and those that are given up for a while.
    var slowHosts = 0
    var hostsGivenUp = 0
    /// The hosts that were given up since it started, and what that cost.
    var cost = GivenUpHosts()
  }

  /// What the ledger takes, and how long it keeps what.
  struct Care: Sendable {
    /// As of the last look; nil before that.
    var size: LedgerSize?
    /// How long a batch is kept when it is over; nil for ever.
    var keepsMilliseconds: Int64?
    /// What is done with the ledger, and how far that is.
    var work: LedgerReport?
    var standing = LedgerStanding()
  }

  /// A recipe that runs.
  struct Run: Sendable {
    var job: JobID
    var batch: BatchID
    var input: String?
    var steps: [StepState]
  }

  static let schema = "halyard.status/1"
  /// Workers that are listed: a report fits into a message, however many there are.
  static let mostWorkers = 2_000
  static let mostSilent = 20

  var program: WorkerProgram
  var uptimeMilliseconds: Int64
  /// Why the ledger could not be written or read last; nil when it could.
  var fault: String?
  /// It gives out no more jobs.
  var isDrained = false
  var work = Work()
  var manners = Manners()
  var pulse = Pulse()
  var ledger: LedgerSummary
  var care = Care()
  var workers: [Worker]
  /// Those that fell silent and did not come back, the last one first.
  var silent: [Worker] = []
  var runs: [Run] = []
  /// What `up` keeps running; nil without one.
  var wanted: FleetSize?
  /// It was run by an `up` that says nothing any more.
  var isUnattended = false
  /// Clients that were not let in.
  var refusals = RefusalReport()
  var pauses = Pauses()

  var json: [UInt8] {
    JSONWriter.object(reservingCapacity: 512 + 256 * workers.count + 128 * ledger.batches.count) { report in
      report.member("schema", Self.schema)
      report.member("version", program.version)
      report.member("pid", program.process)
      report.member("uptime_ms", uptimeMilliseconds)
      let reason = trouble ?? stranger
      report.member("health", reason == nil ? "ok" : "degraded")
      report.member("reason", reason)
      report.member("messages", work.messages)
      report.member("commits", work.commits)
      report.member("strays", work.strays)
      report.beginObject("refused_messages")
      for claim in RefusedMessages.Claim.allCases { report.member(claim.rawValue, work.refused[claim] ?? 0) }
      report.endObject()
      report.member("cached", work.fromCache)
      report.member("revalidated", work.renewed)
      report.beginObject("jobs")
      for (state, count) in jobs { report.member(state, count) }
      report.endObject()
      pulse.write(to: &report, jobs)
      manners.write(to: &report, pulse)
      pauses.write(to: &report)
      care.write(to: &report)
      wanted?.write(to: &report)
      refusals.write(to: &report)
      let sorted = workers.sorted { ($0.role.rawValue, $0.id) < ($1.role.rawValue, $1.id) }
      report.objects("workers", of: sorted.prefix(Self.mostWorkers)) { $1.write(to: &$0) }
      if !silent.isEmpty {
        report.objects("silent_workers", of: silent.prefix(Self.mostSilent)) { $1.write(to: &$0) }
      }
      report.objects("batches", of: ledger.batches) { $1.write(to: &$0, at: pulse.now) }
      report.member("other_batches", ledger.otherBatches)
      if !runs.isEmpty { report.objects("runs", of: runs) { $1.write(to: &$0) } }
    }
  }
}

extension StatusReport {
  /// Why jobs cannot be done now; nil when they can.
  var trouble: String? { fault ?? end ?? neglect ?? gap }

  private var neglect: String? {
    guard isUnattended else { return nil }
    return
      "'halyard up' says nothing any more, so nothing that ends is started again; if its process is stopped, let it go on with"
      + " 'kill -CONT PROCESS'"
  }

  /// Nothing is given out any more.
  private var end: String? {
    isDrained ? "drained: nothing more is given out until the aggregator is started again" : nil
  }

  /// Who gets nothing to do, and why.
  private var stranger: String? {
    let strangers = workers.filter { $0.verdict.reason != nil }.sorted { $0.id < $1.id }
    guard let first = strangers.first, let difference = first.verdict.reason else { return nil }
    let others = strangers.count > 1 ? ", and so do \(strangers.count - 1) more" : ""
    return
      "\(first.role.name) \(first.id) gets nothing to do: \(difference)\(others); start it as the rest of its fleet"
  }

  /// Which role is missing on the way of a job, and what to do; nil when none is.
  private var gap: String? {
    let here = workers.filter { $0.address != nil && $0.verdict == .compatible }
    let fetching = Set(here.filter { $0.role == .fetcher }.map(\.locality))
    let decoding = Set(here.filter { $0.role == .decoder }.map(\.locality))
    if workers.contains(where: { $0.verdict.reason != nil }), fetching.isEmpty || decoding.isEmpty {
      return stranger
    }
    if fetching.isEmpty, decoding.isEmpty { return "no workers: all jobs wait for a fetcher and a decoder" }
    if fetching.isEmpty { return "no fetcher: all jobs wait until one comes\(remedy(.fetcher))" }
    if let locality = fetching.subtracting(decoding).sorted().first {
      let place = decoding.isEmpty ? "" : " in locality \(locality)"
      return "no decoder\(place): pages wait until one comes\(remedy(.decoder))"
    }
    guard let locality = decoding.subtracting(fetching).sorted().first else { return nil }
    return
      "no fetcher in locality \(locality): its decoders get no pages until one comes\(remedy(.fetcher))"
  }

  /// Under `up` nobody starts workers by hand.
  private func remedy(_ role: Role) -> String {
    guard let wanted else { return ", as 'halyard \(role.name)' starts it" }
    guard (role == .fetcher ? wanted.fetchers : wanted.decoders) > 0 else {
      return "; start one with 'halyard scale \(role.name)s 1'"
    }
    if let leaving = workers.first(where: { $0.role == role && $0.verdict == .draining }) {
      return
        "; \(role.name) \(leaving.id) finishes what it has, and ends: '\(role.name)s' of 'halyard scale' count it until then"
    }
    guard let silent = silent.first(where: { $0.role == role }) else {
      return "; 'halyard up' starts one: its log says why one ends"
    }
    let process = silent.program?.knownProcess.map { "\($0)" } ?? "PROCESS"
    return
      "; \(role.name) \(silent.id) is silent: if it is stopped, let it go on with 'kill -CONT \(process)'"
  }

  var jobs: [(state: String, count: Int)] {
    [
      ("waiting", ledger.jobs.waiting), ("ready", ledger.jobs.ready), ("leased", ledger.jobs.leased),
      ("scheduled", ledger.jobs.scheduled), ("failed", ledger.jobs.dead),
    ]
  }
}

extension StatusReport.Run {
  /// Writes it as members of an object.
  fileprivate func write(to report: inout JSONWriter) {
    report.member("job", job.description)
    report.member("batch", batch.description)
    report.member("input", input?.shortened(toBytes: Failure.longestMessage))
    report.objects("steps", of: steps) { report, step in
      report.member("name", step.name)
      report.member("phase", step.phase.rawValue)
      report.member("ended", step.ended)
      report.member("calls", step.calls)
    }
  }
}

extension StatusReport.Manners {
  fileprivate func write(to report: inout JSONWriter, _ pulse: StatusReport.Pulse) {
    report.beginObject("retries")
    report.member("left", retriesLeft)
    report.member("refused", retriesRefused)
    report.endObject()
    report.beginObject("hosts")
    report.member("slow", slowHosts)
    report.member("given_up", hostsGivenUp)
    cost.write(to: &report)
    pulse.writeHosts(to: &report)
    report.endObject()
  }
}

extension GivenUpHosts {
  fileprivate func write(to report: inout JSONWriter) {
    report.member("jobs_lost", jobs)
    report.objects("worst", of: worst) { report, host in
      report.member("host", host.name)
      report.member("jobs", host.jobs)
    }
    report.memberOrNull("others", others)
  }
}

extension StatusReport.Worker {
  /// Writes it as members of an object.
  fileprivate func write(to report: inout JSONWriter) {
    report.member("id", id.description)
    report.member("role", role.name)
    report.member("locality", locality)
    report.member("address", address?.text)
    if let process = program?.knownProcess { report.member("pid", process) }
    report.member("held", held)
    if let freeCredit {
      report.member("free", freeCredit)
    }
    report.member("heard_ms_ago", heardMillisecondsAgo)
    report.member("messages", messages)
    report.member("version", program?.version.printed)
    report.member("wire", program?.wireText)
    report.member("verdict", verdict.name)
    if verdict == .draining { report.member("leaving", true) }
    report.member("differs", verdict.reason)
    report.member("sandbox", sandbox?.name)
  }
}

extension LedgerSummary.Batch {
  /// Writes it as members of an object.
  func write(to report: inout JSONWriter, at now: Moment) {
    report.member("id", id.description)
    report.member("name", terms.name)
    report.member("submitted", firstSubmittedAt.timestamp)
    report.member("age_ms", max(0, now.milliseconds(since: firstSubmittedAt)))
    progress.write(to: &report)
    report.member("unread", unread)
    if isCancelled { report.member("is_cancelled", true) }
    terms.write(to: &report)
  }
}

extension BatchProgress {
  /// Writes it as members of an object.
  package func write(to object: inout JSONWriter) {
    object.memberOrNull("total", total)
    object.member("settled", settled)
    object.member("done", done)
    object.member("failed", failed)
    object.member("cancelled", cancelled)
    object.memberOrNull("open", open)
    if isAbandoned { object.member("abandoned", true) }
    if isPaused { object.member("paused", true) }
  }
}
