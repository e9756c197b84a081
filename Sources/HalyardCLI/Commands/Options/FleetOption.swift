import Assembly
import Pipeline
import Recipes

/// The options of the commands that make up a fleet or talk to one; each is declared here and nowhere else.
enum FleetOption {
  static let aDay: Int64 = 24 * 3_600_000

  static let fleet = Option<FleetPlace?>(
    "--fleet ADDRESS", .fleet, .variable, .text(FleetPlace.read),
    "The fleet to talk to: its run directory, or ipc://PATH, or tcp://HOST:PORT; else the one that"
      + " 'up' starts")

  /// For commands that do without a fleet when none is named.
  static let chosenFleet = Option<FleetPlace?>(
    "--fleet ADDRESS", .fleet, .text(FleetPlace.read),
    "Let this fleet do the work instead of this process: its run directory, or ipc://PATH, or"
      + " tcp://HOST:PORT")

  static let wait = wait("How long to wait for the fleet")

  /// For commands that keep running: they wait longer for a fleet that has answered.
  static let waitOfFollowers = wait(wait.summary, shownAs: "5s, and 5m from a fleet that has answered")

  /// For commands that can also have a ledger of their own.
  static let waitOfRuns = wait(
    "How long to wait for the fleet, or, without a terminal, for a --ledger whose disk is full",
    shownAs: "5s, and 5m from a fleet that has answered and for a ledger")

  private static func wait(_ summary: String, shownAs text: String? = nil) -> Option<Int64> {
    Option(
      "--wait TIME", .fleet, .variable, .integer(1...aDay, as: .time, default: 5_000, shownAs: text), summary)
  }

  static let followingMilliseconds: Int64 = 300_000

  static let bind = Option<String?>(
    "--bind ADDRESS", .fleet, .variable, .text,
    "Address where the others reach this process, such as tcp://10.0.0.7:0; not needed on the fleet's machine"
  )

  static let key = Option<String?>(
    "--key PATH", .fleet, [.variable, .reread], .text,
    "Encrypt TCP with the keys in PATH: this member's file, or the directory that 'halyard keys' made")

  static let alsoKey = Option<String?>(
    "--also-key PATH", .fleet, [.variable, .reread], .text,
    "Also talk to members with the keys in PATH, while a fleet changes its keys; PATH may be missing")

  static let allowKeys = Option<String?>(
    "--allow-keys FILE", .fleet, [.variable, .reread], .text,
    "Accept messages from the keys in FILE, each line a role and a public key; else from those in --key")

  static let insecure = Option<Bool>(
    "--insecure-transport", .fleet, .flag,
    "Use TCP without keys: anyone who can reach it, also on this machine, can read and forge messages")

  static let json = Option<Bool>("--json", .output, .flag, "Print JSON, one object per line")

  static let reachable = Option<Bool>(
    "--reachable", .general, .flag, "Exit with 0 if the aggregator answers, even if the fleet is not well")

  static let link = link(wait)

  /// The options of commands that keep running.
  static let followingLink = link(waitOfFollowers)

  private static func link(_ wait: Option<Int64>) -> [OptionSpec] {
    [OptionSpec](fleet, wait, bind, keys, LinkOption.logLevel, LinkOption.logFormat)
  }

  /// Those of commands that do without a fleet when none is named.
  static let chosenLink = [OptionSpec](chosenFleet, waitOfRuns, bind, keys)

  /// How the lanes between members are secured.
  static let keys = [OptionSpec](key, alsoKey, allowKeys, insecure)

  static let kind = Option<JobKind>(
    "--kind KIND", .input, .choice([.unfurl, .title, .decode, .echo], { $0.name }, default: .title),
    "Kind of the jobs that name none")

  static let batch = Option<BatchID?>(
    "--batch ID", .input,
    .text(parsing({ UUIDv7($0).map(BatchID.init) }, otherwise: "is not an id; --name takes any text")),
    "Submit under this id; jobs that the fleet already has are not repeated")

  static let name = Option<String?>(
    "--name TEXT", .input, .text, "Submit under an id made from TEXT, the same each time")

  static let follow = Option<Bool>("--follow", .output, .flag, "Continue until the batch is complete")

  static let cause = Option<String>(
    "--cause TEXT", .general, .text(default: "cancelled by its user") { $0 }, "Why, for the rows of its jobs")

  static let count = Option<Int>(
    "--count N", .general, .integer(1...1_000_000, default: 1), "Number of echoes, one after the other")

  static let updates = Option<Int>(
    "--updates N", .general, .integer(0...1_000_000_000, default: 0), "Stop after N updates; 0 never stops")

  static let every = Option<Int64>(
    "--every TIME", .general, .integer(100...aDay, as: .time, default: 1_000), "Time between two updates")
}

/// Options of workers.
extension FleetOption {
  static let runDirectory = Option<String?>(
    "--run-dir DIR", .fleet, .variable, .text,
    "Directory of the fleet's sockets and ledger; else $XDG_STATE_HOME/halyard/fleet (~/.local/state)")

  static let check = Option<Bool>(
    "--check", .fleet, .flag,
    "Make the run directory, check that only this user can change it, and start nothing")

  static let detach = Option<Bool>(
    "--[no-]detach", .fleet, .flag, "Run in the background, and return when the fleet answers")

  static let force = Option<Bool>(
    "--force", .fleet, .flag, "End the fleet even if its ledger's file is missing, and lose what is in it")

  static let listen = Option<FleetPlace?>(
    "--listen ADDRESS", .fleet, .variable, .text(FleetPlace.read),
    "Address of the fleet, ipc://PATH or tcp://HOST:PORT, instead of ipc://DIR/aggregator")

  static let locality = Option<String?>(
    "--locality NAME", .fleet, .variable, .text(named),
    "Pages go only to decoders of the same locality; else the machine's name")

  private static func named(_ text: String) throws(ValueProblem) -> String {
    guard text.utf8.count <= Hello.longestText else {
      throw ValueProblem(words: "more than \(Hello.longestText) bytes")
    }
    return text
  }

  static let ledger = Option<String?>(
    "--ledger FILE", .fleet, .variable, .text, "Keep jobs and rows in FILE instead of DIR/ledger.db")

  static let keepBatches = Option<Int64>(
    "--keep-batches TIME", .limits, .variable, .integer(60_000...3_650 * aDay, as: .time, default: 7 * aDay),
    "How long to keep a batch after its last job is over")

  static let abandonAfter = Option<Int64>(
    "--abandon-after TIME", .limits, .variable, .integer(60_000...aDay, as: .time, default: 600_000),
    "How long after the last submission to close a batch whose producer is gone")

  static let maxOpen = Option<Int>(
    "--max-open N", .limits, .variable, .integer(1...1_000_000_000, default: 10_000_000),
    "Limit of open jobs; 'submit' waits while there are more")

  static let metrics = Option<MetricsPlan?>(
    "--metrics ADDRESS", .fleet, .variable,
    .text(
      parsing(
        MetricsPlan.init, otherwise: "is not a port, nor an IP address with one, such as 0.0.0.0:9100")),
    "Serve /metrics for Prometheus, /healthz and /readyz over HTTP at this port of 127.0.0.1, or at IP:PORT;"
      + " anyone who reaches it can read them")

  static let untilInputEnds = Option<Bool>(
    "--until-input-ends", .fleet, .flag, "Stop when standard input ends, as 'up' wants of its workers")

  static let noSandbox = Option<Bool>(
    "--no-sandbox", .fleet, .variable, .flag,
    "Run without the kernel's sandbox: a page that takes over this process can then open files,"
      + " start programs and connect to anything")

  static let maxDocument = Option<Int>(
    "--max-document SIZE", .limits, [.variable, .findings],
    .integer(PipelineOptions.bodySizes, as: .size, default: 8 << 20),
    "Limit of a decompressed JSON document; a larger one is a failure")

  static let fetchers = Option<Int>(
    "--fetchers N", .fleet, .integer(1...1_000, default: 1), "Number of fetchers")

  static let decoders = Option<Int>(
    "--decoders N", .fleet, .integer(1...1_000, default: 1), "Number of decoders")

  static let keyFile = Option<String?>(
    "-o, --output PATH", .output, .text,
    "Write the keys to PATH, which must not exist yet: a directory, or with --role a file")

  static let keysOf = Option<String?>(
    "--fleet-of PATH", .input, .text, "Make the key of one more member of the fleet whose keys are in PATH")

  static let keyRole = Option<KeyRole?>(
    "--role ROLE", .input, .choice(KeyRole.members, { $0.rawValue }, default: "none"),
    "What that member is to do")
}

/// The options of the command `ledger`; each is declared here and nowhere else.
enum LedgerOption {
  static let file = Option<String?>(
    "--ledger FILE", .fleet, .text, "Work on this ledger, which no process has open, instead of the fleet's")

  static let olderThan = Option<Int64?>(
    "--older-than TIME", .input, .integer(0...3_650 * FleetOption.aDay, as: .time),
    "Prune batches in which nothing has happened for so long, such as 2d")

  static let batch = Option<String?>(
    "--batch BATCH", .input, .text, "Prune or export only this batch, by its id or name")

  static let state = Option<JobLife.End?>(
    "--state STATE", .input,
    .choice([.done, .dead, .cancelled], { JobPhase(.over($0)).name }, default: "all of them"),
    "Prune only jobs that ended in this way")

  static let unread = Option<Bool>(
    "--unread", .input, .flag, "Prune also batches with rows that no reader has confirmed")

  static let output = Option<String?>(
    "-o, --output FILE", .output, .text,
    "Write the rows of an export to FILE, which is replaced when all of them are there")

  static let dryRun = Option<Bool>(
    "--dry-run", .general, .flag, "Delete nothing, and count what would be deleted")
}

/// The options of the commands that tell what became of jobs.
enum JobOption {
  static let state = Option<JobPhase?>(
    "--state STATE", .input, .choice(JobPhase.allCases, { $0.name }, default: "any"),
    "Only jobs in this state")

  static let kind = Option<JobKind?>(
    "--kind KIND", .input, .choice(JobKind.allCases, { $0.name }, default: "any"), "Only jobs of this kind")

  static let failedKind = Option<[FailureKind]>(
    "--failed-kind KIND,…", .input, .names(failure),
    "Only jobs that failed in one of these ways: timeout,dns. Else all failed jobs")

  private static func failure(_ name: String) throws(ValueProblem) -> FailureKind {
    guard let kind = FailureKind(rawValue: name) else {
      let near = Suggestion.nearest(3, to: name, among: FailureKind.allCases.map(\.rawValue))
      throw ValueProblem(
        words:
          "\(Printable.quoted(name)) is no kind of failure; the nearest are \(near.joined(separator: ", "))")
    }
    return kind
  }

  static let host = Option<String?>(
    "--host HOST", .input, .subject, .text,
    "Only jobs whose links are of this host, such as example.org or example.org:8080")

  static let batch = Option<String?>(
    "--batch BATCH", .input, .text, "Only jobs of this batch, by its id or name")

  static let since = Option<Int64?>(
    "--since TIME", .input, .integer(1...3_650 * 24 * 3_600_000, as: .time, default: "any time"),
    "Only jobs that were submitted in the last TIME, such as 15m or 24h")

  static let limit = Option<Int>(
    "--limit N", .output, .integer(1...1_000_000, default: 50), "Show at most N jobs")

  static let stories = Option<Int>(
    "--limit N", .output, .integer(1...1_000, default: 1),
    "Show at most N jobs of the link, the newest first")
}

/// The options of the commands that list batches, and of those that choose jobs of them.
enum BatchOption {
  private static let longest: ClosedRange<Int64> = 1...3_650 * 24 * 3_600_000

  static let state = Option<BatchState?>(
    "--state STATE", .input, .choice(BatchState.allCases, { "\($0)" }, default: "any"),
    "Only batches in this state")

  static let name = Option<String?>("--name TEXT", .input, .text, "Only batches whose name contains TEXT")

  static let since = Option<Int64?>(
    "--since TIME", .input, .integer(longest, as: .time, default: "any time"),
    "Only batches that were first submitted in the last TIME, such as 15m or 24h")

  static let olderThan = Option<Int64?>(
    "--older-than TIME", .input, .integer(longest, as: .time),
    "Only batches that were first submitted before the last TIME, such as 2d")

  static let unread = Option<Bool>(
    "--unread", .input, .flag, "Only batches with rows that no reader has confirmed")

  static let limit = Option<Int>(
    "--limit N", .output, .integer(1...1_000_000, default: 50), "Show at most N batches")

  static let after = Option<Int>(
    "--after N", .output, .integer(0...Int64(UInt32.max), default: 0),
    "Skip the first N rows, in the order in which jobs finished")

  static let job = Option<JobID?>(
    "--job ID", .input,
    .text(parsing({ UUIDv7($0).map(JobID.init) }, otherwise: "is not the id of a job")),
    "Only this job; 'halyard jobs' lists the ids")

  /// Those of commands that do something with many jobs.
  static let choice = [OptionSpec](job, JobOption.host, JobOption.since)
}

/// Options by which many share a fleet.
enum SharingOption {
  static let priority = Option<UInt32?>(
    "--priority WEIGHT", .limits,
    .text(
      parsing(
        weight,
        otherwise: "is neither low, normal, high nor a whole number from 1 to \(BatchTerms.mostWeight)")),
    "Share of the fleet beside other batches: low (1), normal (10), high (100), or a number up to 1000;"
      + " else normal, or what the batch has")

  private static func weight(_ text: String) -> UInt32? {
    let named = [
      "low": BatchTerms.lowWeight, "normal": BatchTerms.normalWeight, "high": BatchTerms.highWeight,
    ]
    guard let weight = named[text] ?? UInt32(text), (1...BatchTerms.mostWeight).contains(weight) else {
      return nil
    }
    return weight
  }

  static let atMost = Option<Int?>(
    "--at-most N", .limits, .integer(0...1_000_000, default: "none"),
    "Limit of jobs of the batch in progress at once; 0 removes it")

  static let rate = Option<UInt32?>(
    "--rate N/s", .limits,
    .text(parsing(BatchTerms.perHour, otherwise: "is not a rate such as 5/s, 30/m or 100/h, or 0")),
    "Start at most N jobs of the batch in a second, or N/m in a minute, N/h in an hour; 0 removes the"
      + " limit")

  static let at = Option<String?>(
    "--at TIME", .limits, .text, "Start no job of the batch before TIME: 2026-12-24T18:00:00Z, 18:00, or +2h")

  static let finishBy = Option<String?>(
    "--finish-by TIME", .limits, .text,
    "End the jobs that are still open at TIME with the failure 'deadline'")

  /// Those of `submit`.
  static let terms = [OptionSpec](priority, atMost, rate, at, finishBy)

  static let host = Option<String?>(
    "--host HOST", .general, .subject, .text,
    "A host instead of a batch, with its port unless that is the usual one")

  static let pauseTime = Option<Int64?>(
    "--for TIME", .general, .integer(1_000...3_650 * 24 * 3_600_000, as: .time, default: "until resumed"),
    "Resume by itself after TIME, such as 1h")

  static let reason = Option<String?>(
    "--reason TEXT", .general, .text, "Why, for those who wait behind the pause")

  static let all = Option<Bool>("--all", .general, .subject, .flag, "Everything instead of a batch")
}
