import JSONQuery

/// How fast a fleet goes, and what waits for what.
struct PulseText {
  /// Kinds of failures that a line names; the rest is summed up.
  private static let kindsShown = 4

  let report: JSONValue

  var lines: [String] {
    [oldest, credit, suspects, rates].compactMap(\.self) + failures + hosts
  }

  private var oldest: String? {
    let ages = ["waiting", "ready", "leased", "scheduled"].compactMap { state in
      report["oldest_ms"]?[state]?.int64.map { "\(state) \(Elapsed.text($0))" }
    }
    return ages.isEmpty ? nil : "oldest  \(ages.joined(separator: ", "))"
  }

  private var credit: String? {
    guard let runnable = report["runnable"]?.int64, let free = report["free_credit"]?.int64 else {
      return nil
    }
    return "now  \(runnable) could start, fetchers take \(free) more"
  }

  private var suspects: String? {
    guard let count = report["suspects"]?.int64, count > 0 else { return nil }
    let jobs = Counted.jobs(UInt64(count))
    return "suspects  a worker may have died of \(jobs), tried in groups beside the others"
  }

  private var rates: String? {
    guard let recent = report["recent"] else { return nil }
    // Counted in steps of five seconds, the last of which has only begun.
    let periods = [("1m", 55_000), ("15m", 895_000)].compactMap { name, whole -> String? in
      guard let counts = recent[name] else { return nil }
      let ended = ["done", "failed", "cancelled"].reduce(0) { $0 + (counts[$1]?.int64 ?? 0) }
      let submitted = counts["submitted"]?.int64 ?? 0
      let time = counts["ms"]?.int64 ?? 0
      let name = time < whole ? Elapsed.text(time) : name
      return "\(name): \(Self.rate(ended, time)) ended, \(Self.rate(submitted, time)) submitted"
    }
    return "rate  \(periods.joined(separator: "; "))"
  }

  /// `12.3/s`, with a digit behind the point below a hundred.
  private static func rate(_ count: Int64, _ milliseconds: Int64) -> String {
    guard milliseconds > 0 else { return "0/s" }
    let tenths = count * 10_000 / milliseconds
    return tenths >= 1_000 || tenths % 10 == 0 ? "\(tenths / 10)/s" : "\(tenths / 10).\(tenths % 10)/s"
  }

  private var failures: [String] {
    let recent = Self.kinds(report["recent"]?["15m"]?["failures"])
    let all = Self.kinds(report["failures"])
    return (recent.isEmpty ? [] : ["failures in 15m  \(recent)"])
      + (all.isEmpty || all == recent ? [] : ["failures since the start  \(all)"])
  }

  private static func kinds(_ counts: JSONValue?) -> String {
    let kinds = counts?.members.map { ($0.key, $0.value.int64 ?? 0) } ?? []
    let shown = kinds.prefix(kindsShown).map { "\($0.0) \($0.1)" }
    let others = kinds.dropFirst(kindsShown).reduce(0) { $0 + $1.1 }
    return (shown + (others > 0 ? ["others \(others)"] : [])).joined(separator: ", ")
  }

  private var hosts: [String] {
    report["hosts"]?["in_trouble"]?.elements.map { host in
      let state = host.text("state").replacing("_", with: " ")
      let wait = host["in_ms"]?.int64 ?? 0
      return
        "host  \(host.text("host")) \(state): \(host.text("kind")) \(host.text("failures")) times in a row"
        + (wait > 0 ? ", asked again in \(Elapsed.text(wait))" : "")
    } ?? []
  }
}
