import Assembly
import Pipeline

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
}

extension FleetOption {
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
