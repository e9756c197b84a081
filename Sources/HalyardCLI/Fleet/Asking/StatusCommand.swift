import Assembly
import JSONQuery
import Pipeline
import Posix
import Roles

struct StatusCommand {
  let arguments: ParsedArguments
  let fleet: FleetLinkPlan

  /// Only `watch` looks more than once.
  private var watches: Bool { arguments.command == CommandTable.watch }

  private var redraws: Bool {
    watches && !arguments[FleetOption.json] && arguments.terminal(1).redraws
  }

  func run() async throws -> ExitCode {
    defer { if redraws { try? DescriptorSink(.drawn).write(LiveScreen.end) } }
    return try await fleet.withLink { link in
      let client = link.follower
      let updates = watches ? arguments[FleetOption.updates] : 1
      var count = 0
      while true {
        let json = try await client.ask(StatusQuestion()).bytes
        let text = try StatusText(json)
        try show(json, text.lines + stoppedLines, isFirst: count == 0)
        count += 1
        // With --reachable an answer is enough, whatever it says.
        if count == updates { return text.isWell || arguments[FleetOption.reachable] ? .ok : .someFailed }
        try await Task.sleep(for: .milliseconds(arguments[FleetOption.every]))
      }
    }
  }

  /// What the aggregator cannot know of the process that started it, and of workers that it does not hear.
  private var stoppedLines: [String] {
    guard let directory = fleet.place.directory else { return [] }
    let up = (try? RunningFleet.process(in: directory)).flatMap(\.self)
    let workers = (try? RunningFleet.workers(in: directory)) ?? []
    let lines = ([up].compactMap(\.self) + workers).filter(RunningFleet.isStopped).map { process in
      process == up
        ? "'halyard up', process \(process), is stopped: nothing that ends is started again until 'kill -CONT \(process)'"
        : "process \(process) of the fleet is stopped, and does nothing until 'kill -CONT \(process)'"
    }
    return lines.isEmpty ? [] : [""] + lines
  }

  private func show(_ json: [UInt8], _ lines: [String], isFirst: Bool) throws {
    guard redraws else {
      let lines = (isFirst ? [] : [""]) + lines
      try arguments.show(json: json + [UInt8(ascii: "\n")], lines: lines)
      return
    }
    let lines = lines.map { Printable.text($0) }
    // Asked for each time: the user may change the window's size.
    let screen = LiveScreen(width: terminalWidth(1) ?? 80, height: terminalHeight(1) ?? 24)
    try DescriptorSink(.drawn).write(screen.frame(lines, isFirst: isFirst))
  }
}

struct StatusText {
  private let report: JSONValue

  init(_ json: [UInt8]) throws {
    report = try JSONDocument(parsing: json).root
  }

  /// The aggregator's.
  var process: Int32? { report["pid"]?.int64.flatMap { Int32(exactly: $0) } }

  var isWell: Bool { report.text("health") == "ok" }

  /// `ok`, or `degraded` with the reason.
  var health: String { report.text("health") + reason }

  /// Why it is not well, behind a colon; empty when it is.
  var reason: String { report["reason"]?.string.map { ": \(Printable.text($0))" } ?? "" }

  /// Why jobs are not done now; nil when they are.
  var hindrance: String? {
    guard report["ready"]?.bool != false else { return report.text("reason") }
    return pauseOfAll.isEmpty ? nil : String(pauseOfAll.trimmingPrefix(": "))
  }

  /// That the ledger's file is gone, and what to do; nil while it is there.
  var missingLedger: String? { report["ledger"]?["missing"]?.string }

  /// Why a job would not begin now, behind a colon; empty when it would.
  var obstacle: String {
    ledgerFault.map { Printable.text(": no job runs yet: \($0)") } ?? pauseOfAll
  }

  /// Nothing can be changed meanwhile.
  var isStuck: Bool { ledgerFault != nil }

  private var ledgerFault: String? { report["ledger"]?["fault"]?.string }

  /// A pause of everything, behind a colon, for which nothing starts; empty when there is none.
  var pauseOfAll: String {
    guard let pause = report.list("paused").first(where: { $0["all"] != nil }) else { return "" }
    let text = PauseText(pause, names: [:])
    return Printable.text(": everything is paused\(text.circumstances); '\(text.resume)' ends that")
  }

  var lines: [String] {
    let uptime = report.number("uptime_ms") / 1_000
    var lines = [
      "fleet \(health)  halyard \(report.text("version")), process \(report.text("pid")),"
        + " up \(Quantity.duration(uptime * 1_000))",
      "jobs  "
        + ["ready", "leased", "scheduled", "failed"].map { "\(report["jobs"]?.text($0) ?? "-") \($0)" }
        .joined(separator: ", "),
    ]
    lines += pulseLines + ledgerLines + mannersLines + pauseLines + memberLines
    lines += [""] + workerLines
    guard !report.list("batches").isEmpty else { return lines }
    let more = report.number("other_batches")
    return lines + [""] + BatchTable.lines(report.list("batches"))
      + (more > 0 ? ["and \(more) more: halyard batches"] : [])
  }

  /// What the ledger takes, and how long it keeps what is over.
  private var ledgerLines: [String] {
    guard let ledger = report["ledger"], let bytes = ledger["bytes"]?.int64 else { return [] }
    let free = ledger.number("parts", "free")
    var line = "ledger  \(Quantity.about(bytes)), \(Quantity.about(free)) free"
    if let kept = ledger["keeps_ms"]?.int64 { line += "; batches are kept for \(Quantity.duration(kept))" }
    if let oldest = ledger["oldest"]?.int64 {
      line += ", the oldest is of \(Moment(unixMilliseconds: oldest).timestamp.prefix(10))"
    }
    guard let verb = ledger["work"]?["verb"]?.string else { return [line] }
    return [line, "ledger  \(verb) is under way"]
  }

  /// Only what is out of the ordinary.
  private var mannersLines: [String] {
    let (slow, givenUp) = (report.number("hosts", "slow"), report.number("hosts", "given_up"))
    let refused = report.number("retries", "refused")
    var lines: [String] = []
    if slow + givenUp > 0 {
      lines.append("hosts  that only fail: \(slow) slow, \(givenUp) given up for now")
    }
    let asked = report.number("hosts", "asked_to_wait")
    if asked > 0 { lines.append("hosts  that asked to wait: \(asked)") }
    let lost = report.number("hosts", "jobs_lost")
    if lost > 0 {
      let worst = report["hosts"]?.list("worst").map { host in
        GivenUpHosts.Host(host.text("host"), jobs: Int(host.number("jobs")))
      }
      let others = report["hosts"]?["others"]?.int64.map { Int($0) }
      lines.append(
        "hosts  that were given up \(GivenUpText.words(jobs: Int(lost), worst: worst ?? [], others: others))")
    }
    if refused > 0 {
      lines.append(
        "retries  \(report.number("retries", "left")) left, \(refused) refused: see --retry-budget")
    }
    return lines
  }

  /// Workers that are missing, and members that were not let in.
  private var memberLines: [String] {
    var lines: [String] = []
    let missing = ["fetcher", "decoder"].compactMap { role -> String? in
      let wanted = report.number("wanted", "\(role)s")
      let there = report.list("workers").count {
        $0.text("role") == role && $0.text("verdict") == "compatible"
      }
      return there < wanted ? "\(there) of \(wanted) \(role)s" : nil
    }
    if !missing.isEmpty { lines.append("workers  \(missing.joined(separator: ", "))") }
    lines += report.list("silent_workers").prefix(Self.silentShown).map { worker in
      let process = worker["pid"]?.int64.map { ", process \($0)" } ?? ""
      let heard = Quantity.duration(worker.number("heard_ms_ago") / 1_000 * 1_000)
      return "silent  \(worker.text("role")) \(worker.text("id"))\(process) at \(worker.text("address")),"
        + " heard \(heard) ago; its jobs went to others"
    }
    let refused = report.number("refused_peers", "total")
    if refused > 0, let last = report["refused_peers"]?.list("latest").first {
      let key = last["key"]?.string.map { " with key \($0)" } ?? ", which showed no key"
      lines.append(
        "refused  \(refused) connections, the last one from \(last.text("address"))\(key)")
    }
    return lines
  }

  private var workersRemedy: String {
    guard report["wanted"] != nil else {
      return "start some with halyard up, or halyard fetcher and halyard decoder"
    }
    return report.number("wanted", "fetchers") + report.number("wanted", "decoders") == 0
      ? "start some with halyard scale fetchers N, and halyard scale decoders N"
      : "halyard up starts those that end, and its log says why"
  }

  private var workerLines: [String] {
    let workers = report.list("workers")
    guard !workers.isEmpty else { return ["no workers: \(workersRemedy)"] }
    return TextColumns.lines(
      [["WORKER", "ROLE", "LOCALITY", "HELD", "FREE", "HEARD"]]
        + workers.map { worker in
          [
            worker.text("id"), worker.text("role"), Printable.text(worker.text("locality")),
            worker.text("held"),
            worker.text("free"), "\(worker.text("heard_ms_ago")) ms ago",
          ] + workerMarks(worker)
        })
  }

  /// What is out of the ordinary.
  private func workerMarks(_ worker: JSONValue) -> [String] {
    var marks: [String] = []
    if let version = worker["version"]?.string, version != report.text("version") {
      marks.append("version \(Printable.text(version))")
    }
    if let verdict = worker["verdict"]?.string, verdict != "compatible" { marks.append(verdict) }
    if worker["sandbox"]?.string == WorkerSandbox.none.name { marks.append("no sandbox") }
    if let heard = worker["heard_ms_ago"]?.int64, heard > Self.quietMilliseconds {
      marks.append("quiet; its jobs go to others when it is silent for \(Self.silence)")
    }
    return marks
  }

  private var pauseLines: [String] {
    let names = report.list("batches").compactMap { batch in
      batch["name"]?.string.map { (batch.text("id"), $0) }
    }
    let pauses = report.list("paused").map { pause in
      PauseText(pause, names: Dictionary(names) { first, _ in first })
    }
    let lines = pauses.prefix(Self.pausesShown).map { pause in
      "paused  \(Printable.text(pause.subject + pause.circumstances)); '\(Printable.text(pause.resume))' ends that"
    }
    let more = Int64(max(0, pauses.count - Self.pausesShown)) + report.number("other_pauses")
    return lines + (more > 0 ? ["paused  \(more) more"] : [])
  }

  /// A worker says that it lives several times in this time.
  private static let quietMilliseconds: Int64 = 3_000
  private static let silence = Quantity.duration(Heartbeat.workerLifeMilliseconds)
  private static let pausesShown = 5
  private static let silentShown = 5
}

/// How fast a fleet goes, and what waits for what.
extension StatusText {
  /// Kinds of failures that a line names; the rest is summed up.
  private static let kindsShown = 4

  private var pulseLines: [String] {
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
      let ended = ["done", "failed", "cancelled"].reduce(0) { $0 + counts.number($1) }
      let submitted = counts.number("submitted")
      let time = counts.number("ms")
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
    report["hosts"]?.list("in_trouble").map { host in
      let state = host.text("state").replacing("_", with: " ")
      return
        "host  \(host.text("host")) \(state): \(host.text("kind")) \(host.text("failures")) times in a row"
        + (host.number("in_ms") > 0 ? ", asked again in \(host.elapsed("in_ms"))" : "")
    } ?? []
  }
}
