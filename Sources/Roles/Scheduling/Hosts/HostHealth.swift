package import Pipeline

/// Which hosts only fail, and what to do about them.
///
/// Only failures of the way to a host count, and only those that may pass: no name, no connection, no TLS. A page that
/// does not answer in time is not the host's failure. After ten in a row without a success in between, one job at a time
/// finds out whether the host is back, after pauses of 1, 2, 4, 8 and then always 16 seconds. When the limit is reached,
/// which is 15 if nothing else is said, the host is given up for ten minutes, after which one more job decides. A lower
/// limit slows a host down earlier, so that five of its failures are of such jobs, as far as there are more than five. With
/// a limit of more than 30, or none, the user wants each page tried: then the pauses stay at a second.
/// Any success ends it. A host that is not heard of again is forgotten. Who requeues jobs or resumes a host thinks that it is
/// back: the job that decides after ten minutes then decides at once.
package struct HostHealth: Sendable {
  /// Failures in a row until a host is given up, where nothing else is said.
  package static let defaultLimit = 15
  private static let mostFailuresUntilSlow = 10
  static let firstPauseMilliseconds: Int64 = 1_000
  /// How often the pause doubles, and up to how many probes until the host is given up it does.
  private static let mostDoublings = 4
  private static let mostProbesWithDoublings = 20
  private static let defaultProbes = 5
  static let givenUpMilliseconds = HostWait.longestMilliseconds
  /// Hosts in trouble that are known at a time; no other gets into trouble meanwhile.
  static let mostInTrouble = 10_000

  struct Order: Hashable, Sendable {
    enum Change: Hashable, Sendable {
      /// One at a time, and none before.
      case slowDown(until: Moment)
      /// None before, and whatever waits for it fails.
      case giveUp(HostVerdict)
      /// As others.
      case free
      /// Likewise: it was given up, and answers again.
      case welcomeBack
    }

    var host: String
    var change: Change
  }

  private struct Trouble {
    var verdict: HostVerdict
    var failedProbes = 0
    /// What was under way when the trouble began decides nothing.
    var isProbing = false
    var isGivenUp = false
    var changedAt: Moment
  }

  private var streaks = RecentCounts()
  /// Pages in a row that did not come in time. The status names the host, which is not slowed down for it.
  private var unanswered = RecentCounts()
  private var patience = HostPatience()
  private var troubled: [String: Trouble] = [:]
  private let failuresUntilSlow: Int
  /// nil when no host is ever given up.
  private let probesUntilGivenUp: Int?
  private let doublings: Int

  /// - Parameter limit: Failures in a row until a host is given up, at least 1; nil for never.
  init(givesUpAfter limit: Int? = HostHealth.defaultLimit) {
    let slow = min(Self.mostFailuresUntilSlow, max(1, (limit ?? .max) - Self.defaultProbes))
    failuresUntilSlow = slow
    let probes = limit.map { max(0, $0 - slow) }
    probesUntilGivenUp = probes
    doublings = (probes ?? .max) > Self.mostProbesWithDoublings ? 0 : Self.mostDoublings
  }

  var isEmpty: Bool { troubled.isEmpty && streaks.isEmpty && unanswered.isEmpty }

  /// How many hosts are in which trouble.
  package func troubles(at now: Moment) -> (slow: Int, givenUp: Int, asked: Int) {
    let reports = reports(at: now)
    func count(_ state: Report.State) -> Int { reports.count { $0.state == state } }
    return (count(.slow), count(.givenUp), count(.askedToWait))
  }

  func reports(at now: Moment) -> [Report] {
    troubled.map { host, trouble in
      Report(
        host: host, state: trouble.isGivenUp && trouble.verdict.until > now ? .givenUp : .slow,
        failures: trouble.verdict.failures, kind: trouble.verdict.kind,
        inMs: max(0, trouble.verdict.until.milliseconds(since: now)))
    }
      + unanswered.names(from: Self.mostFailuresUntilSlow).filter { troubled[$0.name] == nil }.map {
        Report(host: $0.name, state: .slow, failures: $0.count, kind: .timeout, inMs: 0)
      } + patience.reports(at: now).filter { troubled[$0.host] == nil }
  }

  /// Why nothing may be sent to the host now; nil when something may.
  func verdict(on host: String, at now: Moment) -> HostVerdict? {
    guard !troubled.isEmpty, let trouble = troubled[host], trouble.isGivenUp, trouble.verdict.until > now
    else {
      return nil
    }
    return trouble.verdict
  }

  /// Something was sent to the host.
  mutating func started(_ host: String) {
    if !troubled.isEmpty { troubled[host]?.isProbing = true }
  }

  /// The host answered, whatever it was.
  mutating func succeeded(_ host: String) -> [Order] {
    guard !isEmpty else { return [] }
    streaks.forget(host)
    unanswered.forget(host)
    guard let trouble = troubled.removeValue(forKey: host) else { return [] }
    return [Order(host: host, change: trouble.isGivenUp ? .welcomeBack : .free)]
  }

  /// The host took the connection, and the page did not come in time.
  mutating func wasSlow(_ host: String) { _ = unanswered.add(host) }

  /// A host, or each when none is named, is no longer given up: what is sent to it next decides. One that asks to wait is
  /// asked before its time only if it is named.
  ///
  /// - Returns: Those that were given up.
  @discardableResult
  mutating func forgive(_ host: String? = nil, at now: Moment) -> [String] {
    let forgiven = (host.map { [$0] } ?? Array(troubled.keys)).filter { name in
      verdict(on: name, at: now).map { host != nil || !$0.isAskedToWait } ?? false
    }
    for name in forgiven { troubled[name]?.verdict.until = now }
    return forgiven
  }

  /// The host answered with a page.
  mutating func served(_ host: String) { patience.served(host) }

  /// An answer asked that nothing is sent to the host before `end`. One that asks for more than `budget` milliseconds in
  /// all, less what its pages gave back, is given up; after that the first answer decides.
  mutating func asked(
    _ host: String, _ kind: FailureKind, until end: Moment, budget: Int64, at now: Moment
  ) -> [Order] {
    guard probesUntilGivenUp != nil,
      let count = patience.asked(host, kind, until: end, budget: budget, at: now)
    else { return [] }
    let until = max(end, now.advanced(byMilliseconds: Self.givenUpMilliseconds))
    return giveUp(
      host, HostVerdict(kind: kind, failures: count, until: until, isAskedToWait: true), at: now)
  }

  /// Of its own accord, or because an earlier aggregator did.
  mutating func giveUp(_ host: String, _ verdict: HostVerdict, at now: Moment) -> [Order] {
    guard let probesUntilGivenUp, troubled[host] != nil || troubled.count < Self.mostInTrouble else {
      return []
    }
    troubled[host] = Trouble(
      verdict: verdict, failedProbes: probesUntilGivenUp, isGivenUp: true, changedAt: now)
    return [Order(host: host, change: .giveUp(verdict))]
  }

  /// There was no way to the host.
  mutating func failed(_ host: String, _ kind: FailureKind, at now: Moment) -> [Order] {
    if let trouble = troubled[host] { return failed(host, trouble, kind, at: now) }
    let failures = streaks.add(host)
    guard failures >= failuresUntilSlow else { return [] }
    let freed = troubled.count < Self.mostInTrouble ? [] : forgetOld(at: now)
    guard troubled.count < Self.mostInTrouble else { return [] }
    streaks.forget(host)
    let until = now.advanced(byMilliseconds: Self.firstPauseMilliseconds)
    var trouble = Trouble(
      verdict: HostVerdict(kind: kind, failures: failures, until: until), changedAt: now)
    let orders =
      freed + [Order(host: host, change: .slowDown(until: until))] + giveUp(host, &trouble, at: now)
    troubled[host] = trouble
    return orders
  }

  private mutating func failed(
    _ host: String, _ known: Trouble, _ kind: FailureKind, at now: Moment
  ) -> [Order] {
    var trouble = known
    defer { troubled[host] = trouble }
    trouble.verdict.failures += 1
    trouble.verdict.kind = kind
    trouble.verdict.isAskedToWait = false
    trouble.changedAt = now
    guard trouble.isProbing else { return [] }
    trouble.isProbing = false
    trouble.failedProbes += 1
    let end = giveUp(host, &trouble, at: now)
    guard end.isEmpty else { return end }
    trouble.verdict.until = now.advanced(
      byMilliseconds: Self.firstPauseMilliseconds << Int64(min(trouble.failedProbes, doublings)))
    return [Order(host: host, change: .slowDown(until: trouble.verdict.until))]
  }

  /// Gives the host up if enough of its probes have failed.
  private func giveUp(_ host: String, _ trouble: inout Trouble, at now: Moment) -> [Order] {
    guard let probesUntilGivenUp, trouble.failedProbes >= probesUntilGivenUp else { return [] }
    trouble.isGivenUp = true
    trouble.verdict.until = now.advanced(byMilliseconds: Self.givenUpMilliseconds)
    return [Order(host: host, change: .giveUp(trouble.verdict))]
  }

  /// Hosts that nothing was heard of for as long as one is given up, and that long again.
  private mutating func forgetOld(at now: Moment) -> [Order] {
    let old = troubled.filter { now.milliseconds(since: $0.value.changedAt) > 2 * Self.givenUpMilliseconds }
    for host in old.keys { troubled[host] = nil }
    return old.keys.sorted().map { Order(host: $0, change: .free) }
  }
}

/// Counts by name, of which those that grew last are kept: at most twice as many as there are in a generation.
private struct RecentCounts {
  private static let generation = 4_096

  private var young: [String: Int] = [:]
  private var old: [String: Int] = [:]

  var isEmpty: Bool { young.isEmpty && old.isEmpty }

  mutating func add(_ name: String) -> Int {
    let count = (young[name] ?? old.removeValue(forKey: name) ?? 0) + 1
    if young.count >= Self.generation { (young, old) = ([:], young) }
    young[name] = count
    return count
  }

  func names(from least: Int) -> [(name: String, count: Int)] {
    (Array(young) + Array(old)).filter { $0.value >= least }.map { ($0.key, $0.value) }
  }

  mutating func forget(_ name: String) {
    young[name] = nil
    old[name] = nil
  }
}

/// Which hosts are in trouble, for people.
extension HostHealth {
  package struct Report: Encodable, Hashable, Sendable {
    package enum State: String, Encodable, Sendable {
      case slow
      case givenUp = "given_up"
      case askedToWait = "asked_to_wait"
    }

    package var host: String
    package var state: State
    /// Failures in a row, or answers that asked to wait, and what the last one was.
    package var failures: Int
    package var kind: FailureKind
    /// In how many milliseconds it is asked again.
    package var inMs: Int64
  }

  /// Those that are given up first, then those that failed most often, equals by name.
  package func worst(at now: Moment) -> [Report] {
    Array(reports(at: now).sorted { Self.order($0) < Self.order($1) }.prefix(GivenUpHosts.mostNamed))
  }

  private static func order(_ report: Report) -> (Int, Int, String) {
    (report.state == .givenUp ? 0 : 1, -report.failures, report.host)
  }
}

/// How long the jobs of each host have waited because its answers asked for it. A pure value.
///
/// A host may ask for so much in all; each page that it serves gives back ten seconds, so that a host that paces its
/// clients is obeyed for as long as it serves them. Pauses that overlap count once.
struct HostPatience: Sendable {
  private static let earnedByPageMilliseconds: Int64 = 10_000
  /// Hosts that are known at a time; the requests of others cost nothing.
  private static let mostHosts = 10_000

  private struct Account {
    var spent: Int64 = 0
    var asked = 0
    var kind: FailureKind
    var until: Moment
  }

  private var accounts: [String: Account] = [:]

  /// - Returns: How often the host has asked, when it asks for more than is left to it; nil when the jobs may wait.
  mutating func asked(
    _ host: String, _ kind: FailureKind, until end: Moment, budget: Int64, at now: Moment
  ) -> Int? {
    if accounts.count >= Self.mostHosts, accounts[host] == nil {
      accounts = accounts.filter { !Self.isOld($0.value, at: now) }
      guard accounts.count < Self.mostHosts else { return nil }
    }
    var account = accounts[host] ?? Account(kind: kind, until: now)
    if Self.isOld(account, at: now) { account = Account(kind: kind, until: now) }
    account.asked += 1
    account.kind = kind
    account.spent += max(0, end.milliseconds(since: max(account.until, now)))
    account.until = max(account.until, end)
    accounts[host] = account
    return account.spent > budget ? account.asked : nil
  }

  mutating func served(_ host: String) {
    guard !accounts.isEmpty, var account = accounts[host] else { return }
    account.spent -= Self.earnedByPageMilliseconds
    accounts[host] = account.spent > 0 ? account : nil
  }

  /// Hosts whose jobs wait now because they asked for it.
  func reports(at now: Moment) -> [HostHealth.Report] {
    accounts.filter { $0.value.until > now }.map { host, account in
      HostHealth.Report(
        host: host, state: .askedToWait, failures: account.asked, kind: account.kind,
        inMs: account.until.milliseconds(since: now))
    }
  }

  private static func isOld(_ account: Account, at now: Moment) -> Bool {
    now.milliseconds(since: account.until) > 2 * HostHealth.givenUpMilliseconds
  }
}

/// How many jobs ended because their host was given up, in all and host by host. Where there are very many hosts, those
/// with the fewest jobs are forgotten one by one, and only their jobs still count. A pure value.
package struct GivenUpHosts: Hashable, Sendable {
  package struct Host: Encodable, Hashable, Sendable {
    package var name: String
    package var jobs: Int

    private enum CodingKeys: String, CodingKey {
      case name = "host"
      case jobs
    }

    package init(_ name: String, jobs: Int) {
      self.name = name
      self.jobs = jobs
    }
  }

  /// Hosts that are known at a time.
  static let mostKept = 2_000
  /// Hosts that a report names.
  static let mostNamed = 5

  /// All jobs that it cost, those of forgotten hosts too.
  package private(set) var jobs = 0
  private var jobsByHost: [String: Int] = [:]
  private var hasForgotten = false

  package init() {}

  /// The hosts that cost the most jobs, the worst first, equals by name.
  package var worst: [Host] { Array(ranked.prefix(Self.mostNamed)) }

  /// How many hosts there are besides the worst; nil when too many were there to know.
  package var others: Int? { hasForgotten ? nil : max(0, jobsByHost.count - Self.mostNamed) }

  package mutating func add(_ host: String, jobs count: Int = 1) {
    guard count > 0 else { return }
    jobs += count
    jobsByHost[host, default: 0] += count
    guard jobsByHost.count > Self.mostKept else { return }
    hasForgotten = true
    // Half of them at once, so that sorting costs little for each host.
    jobsByHost = Dictionary(
      uniqueKeysWithValues: ranked.prefix(Self.mostKept / 2).map { ($0.name, $0.jobs) })
  }

  private var ranked: [Host] {
    jobsByHost.map { Host($0.key, jobs: $0.value) }.sorted { ($1.jobs, $0.name) < ($0.jobs, $1.name) }
  }
}
