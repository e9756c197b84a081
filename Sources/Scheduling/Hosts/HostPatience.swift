import Pipeline

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
