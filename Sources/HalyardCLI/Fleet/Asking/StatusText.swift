import JSONQuery
import Pipeline
import Roles
import Scheduling

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

  /// That the ledger's file is gone, and what to do; nil while it is there.
  var missingLedger: String? { report["ledger"]?["missing"]?.string }

  /// Why a job would not begin now, behind a colon; empty when it would.
  var obstacle: String {
    guard let fault = report["ledger"]?["fault"]?.string else { return pauseOfAll }
    return Printable.text(": no job runs yet: \(fault)")
  }

  /// A pause of everything, behind a colon, for which nothing starts; empty when there is none.
  var pauseOfAll: String {
    guard let pause = members("paused").first(where: { $0["all"] != nil }) else { return "" }
    let text = PauseText(pause, names: [:])
    return Printable.text(": everything is paused\(text.circumstances); '\(text.resume)' ends that")
  }

  var lines: [String] {
    let uptime = (Int64(report.text("uptime_ms")) ?? 0) / 1_000
    var lines = [
      "fleet \(health)  halyard \(report.text("version")), process \(report.text("pid")),"
        + " up \(Quantity.duration(uptime * 1_000))",
      "jobs  "
        + ["ready", "leased", "scheduled", "failed"].map { "\(jobs($0)) \($0)" }.joined(separator: ", "),
    ]
    lines += PulseText(report: report).lines + ledgerLines + mannersLines + pauseLines + memberLines
    lines += [""] + workerLines
    if !members("batches").isEmpty { lines += [""] + batchLines }
    return lines
  }

  /// What the ledger takes, and how long it keeps what is over.
  private var ledgerLines: [String] {
    guard let ledger = report["ledger"], let bytes = ledger["bytes"]?.int64 else { return [] }
    let free = ledger["parts"]?["free"]?.int64 ?? 0
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
    let (slow, givenUp) = (number("hosts", "slow"), number("hosts", "given_up"))
    let refused = number("retries", "refused")
    var lines: [String] = []
    if slow + givenUp > 0 {
      lines.append("hosts  that only fail: \(slow) slow, \(givenUp) given up for now")
    }
    let asked = number("hosts", "asked_to_wait")
    if asked > 0 { lines.append("hosts  that asked to wait: \(asked)") }
    let lost = number("hosts", "jobs_lost")
    if lost > 0 {
      let worst = report["hosts"]?["worst"]?.elements.map { host in
        GivenUpHosts.Host(host.text("host"), jobs: Int(host["jobs"]?.int64 ?? 0))
      }
      let others = report["hosts"]?["others"]?.int64.map { Int($0) }
      lines.append(
        "hosts  that were given up \(GivenUpText.words(jobs: Int(lost), worst: worst ?? [], others: others))")
    }
    if refused > 0 {
      lines.append("retries  \(number("retries", "left")) left, \(refused) refused: see --retry-budget")
    }
    return lines
  }

  /// Workers that are missing, and members that were not let in.
  private var memberLines: [String] {
    var lines: [String] = []
    let missing = ["fetcher", "decoder"].compactMap { role -> String? in
      let wanted = number("wanted", "\(role)s")
      let there = members("workers").count { $0.text("role") == role && $0.text("verdict") == "compatible" }
      return there < wanted ? "\(there) of \(wanted) \(role)s" : nil
    }
    if !missing.isEmpty { lines.append("workers  \(missing.joined(separator: ", "))") }
    lines += members("silent_workers").prefix(Self.silentShown).map { worker in
      let process = worker["pid"]?.int64.map { ", process \($0)" } ?? ""
      let heard = Quantity.duration((worker["heard_ms_ago"]?.int64 ?? 0) / 1_000 * 1_000)
      return "silent  \(worker.text("role")) \(worker.text("id"))\(process) at \(worker.text("address")),"
        + " heard \(heard) ago; its jobs went to others"
    }
    let refused = number("refused_peers", "total")
    if refused > 0, let last = report["refused_peers"]?["latest"]?.elements.map({ $0 }).first {
      let key = last["key"]?.string.map { " with key \($0)" } ?? ", which showed no key"
      lines.append(
        "refused  \(refused) connections, the last one from \(last.text("address"))\(key)")
    }
    return lines
  }

  private func number(_ group: String, _ name: String) -> Int64 {
    report[group].flatMap { Int64($0.text(name)) } ?? 0
  }

  private var workerLines: [String] {
    let workers = members("workers")
    guard !workers.isEmpty else {
      return ["no workers: start some with halyard up, or halyard fetcher and halyard decoder"]
    }
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

  private var batchLines: [String] {
    let more = report["other_batches"]?.int64 ?? 0
    return BatchTable.lines(members("batches")) + (more > 0 ? ["and \(more) more: halyard batches"] : [])
  }

  private var pauseLines: [String] {
    let names = members("batches").compactMap { batch in batch["name"]?.string.map { (batch.text("id"), $0) }
    }
    let pauses = members("paused").map { pause in
      PauseText(pause, names: Dictionary(names) { first, _ in first })
    }
    let lines = pauses.prefix(Self.pausesShown).map { pause in
      "paused  \(Printable.text(pause.subject + pause.circumstances)); '\(Printable.text(pause.resume))' ends that"
    }
    let more = Int64(max(0, pauses.count - Self.pausesShown)) + (report["other_pauses"]?.int64 ?? 0)
    return lines + (more > 0 ? ["paused  \(more) more"] : [])
  }

  /// A worker says that it lives several times in this time.
  private static let quietMilliseconds: Int64 = 3_000
  private static let silence = Quantity.duration(Heartbeat.workerLifeMilliseconds)
  private static let pausesShown = 5
  private static let silentShown = 5

  private func jobs(_ state: String) -> String {
    report["jobs"].map { $0.text(state) } ?? "-"
  }

  private func members(_ name: String) -> [JSONValue] {
    report[name].map { Array($0.elements) } ?? []
  }
}
