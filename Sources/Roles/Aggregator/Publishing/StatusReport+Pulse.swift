import JSONQuery
import Pipeline
import Scheduling

extension StatusReport {
  /// How fast it goes, and what waits for what.
  struct Pulse: Sendable {
    var now = Moment(unixMilliseconds: 0)
    /// Milliseconds since the oldest open jobs were submitted; nil where there are none.
    var oldest: [(state: JobPhase, milliseconds: Int64?)] = []
    /// Jobs of memory that could start now, and further jobs that fetchers would take.
    var runnable = 0
    var freeCredit: UInt64 = 0
    /// Open jobs that workers may have died of.
    var suspects = 0
    var lastMinute = RecentEnds.Counts()
    var lastQuarter = RecentEnds.Counts()
    /// Since the aggregator started.
    var failures: [FailureKind: Int] = [:]
    var worstHosts: [HostHealth.Report] = []
  }
}

extension StatusReport.Pulse {
  /// - Parameter jobs: How many there are; the ages are of a look up to a second ago.
  func write(to report: inout JSONWriter, _ jobs: [(state: String, count: Int)]) {
    let states = Set(jobs.filter { $0.count > 0 }.map(\.state))
    report.beginObject("oldest_ms")
    for (state, milliseconds) in oldest {
      report.memberOrNull(state.name, states.contains(state.name) ? milliseconds : nil)
    }
    report.endObject()
    report.member("runnable", runnable)
    report.member("free_credit", freeCredit)
    report.member("suspects", suspects)
    report.beginObject("recent")
    for (name, counts) in [("1m", lastMinute), ("15m", lastQuarter)] {
      report.beginObject(name)
      counts.write(to: &report)
      report.endObject()
    }
    report.endObject()
    report.beginObject("failures")
    failures.write(to: &report)
    report.endObject()
  }

  /// Writes them as an array of the name that it has among the hosts.
  func writeHosts(to hosts: inout JSONWriter) {
    hosts.objects("in_trouble", of: worstHosts) { hosts, host in
      hosts.member("host", host.host)
      hosts.member("state", host.isGivenUp ? "given_up" : "slow")
      hosts.member("failures", host.failures)
      hosts.member("kind", host.kind.rawValue)
      hosts.member("in_ms", max(0, host.until.milliseconds(since: now)))
    }
  }
}

extension RecentEnds.Counts {
  fileprivate func write(to report: inout JSONWriter) {
    report.member("ms", milliseconds)
    report.member("submitted", submitted)
    report.member("done", done)
    report.member("failed", failed)
    report.member("cancelled", cancelled)
    report.beginObject("failures")
    failures.write(to: &report)
    report.endObject()
  }
}

extension [FailureKind: Int] {
  /// The most frequent first, equals by name.
  fileprivate func write(to object: inout JSONWriter) {
    for (kind, count) in sorted(by: { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }) {
      object.member(kind.rawValue, count)
    }
  }
}

extension Aggregator {
  /// How often to look for the oldest jobs while anything changes.
  private static let lookMilliseconds: Int64 = 1_000

  func pulse(at now: Moment) -> StatusReport.Pulse {
    func age(_ moment: Moment?) -> Int64? { moment.map { max(0, now.milliseconds(since: $0)) } }
    var pulse = StatusReport.Pulse()
    pulse.now = now
    pulse.oldest = [
      (.waiting, age(oldest.jobs.waiting)), (.ready, age(oldest.jobs.ready)),
      (.leased, age(oldest.jobs.leased)), (.scheduled, age(oldest.jobs.scheduled)),
    ]
    pulse.runnable = dispatcher.runnable(at: now)
    pulse.freeCredit = dispatcher.freeCreditInAll
    pulse.suspects = dispatcher.suspectCount
    pulse.lastMinute = recent.last(minutes: 1, at: now)
    pulse.lastQuarter = recent.last(minutes: 15, at: now)
    pulse.failures = recent.failures
    pulse.worstHosts = dispatcher.worstHosts(at: now)
    return pulse
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
  var jobs = OldestJobs()
  /// Something was committed since.
  var isStale = true
  /// They are not looked for before.
  var nextLook: Moment?

  /// When to look again without a message; nil when nothing has changed.
  var nextWake: Moment? { isStale ? nextLook : nil }
}
