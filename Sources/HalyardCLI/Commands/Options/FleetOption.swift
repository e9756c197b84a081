/// The options of the commands that make up a fleet or talk to one; each is declared here and nowhere else.
enum FleetOption {
  private static let aDay: Int64 = 24 * 3_600_000

  static let fleet = TypedOption<String?>.text(
    OptionLabel(
      name: "fleet", placeholder: "ADDRESS", group: .fleet,
      summary: "The fleet to talk to: its run directory, or ipc://PATH, or tcp://HOST:PORT; else the one that"
        + " 'up' starts",
      fromEnvironment: true))

  /// For commands that do without a fleet when none is named.
  static let chosenFleet = TypedOption<String?>.text(
    OptionLabel(
      name: "fleet", placeholder: "ADDRESS", group: .fleet,
      summary: "Let this fleet do the work instead of this process: its run directory, or ipc://PATH, or"
        + " tcp://HOST:PORT"))

  static let wait = TypedOption<Int64>.duration(
    OptionLabel(
      name: "wait", placeholder: "TIME", group: .fleet, summary: "How long to wait for the fleet",
      fromEnvironment: true),
    default: 5_000, in: 1...aDay)

  /// For commands that keep running: they wait longer for a fleet that has answered.
  static let waitOfFollowers = TypedOption<Int64>.duration(
    OptionLabel(
      name: "wait", placeholder: "TIME", group: .fleet, summary: "How long to wait for the fleet",
      fromEnvironment: true),
    default: wait.fallback, shownAs: "5s, and 5m from a fleet that has answered", in: 1...aDay)

  /// For commands that can also have a ledger of their own.
  static let waitOfRuns = TypedOption<Int64>.duration(
    OptionLabel(
      name: "wait", placeholder: "TIME", group: .fleet,
      summary:
        "How long to wait for the fleet, or, without a terminal, for a --ledger whose disk is full",
      fromEnvironment: true),
    default: wait.fallback, shownAs: "5s, and 5m from a fleet that has answered and for a ledger",
    in: 1...aDay)

  static let followingMilliseconds: Int64 = 300_000

  static let bind = TypedOption<String?>.text(
    OptionLabel(
      name: "bind", placeholder: "ADDRESS", group: .fleet,
      summary:
        "Address where the others reach this process, such as tcp://10.0.0.7:0; not needed on the fleet's machine",
      fromEnvironment: true))

  static let key = TypedOption<String?>.text(
    OptionLabel(
      name: "key", placeholder: "FILE", group: .fleet,
      summary: "Encrypt TCP with the keys in FILE, which 'halyard keys' makes", fromEnvironment: true))

  static let alsoKey = TypedOption<String?>.text(
    OptionLabel(
      name: "also-key", placeholder: "FILE", group: .fleet,
      summary:
        "Also talk to members with the keys in FILE, while a fleet changes its keys; FILE may be missing",
      fromEnvironment: true))

  static let allowKeys = TypedOption<String?>.text(
    OptionLabel(
      name: "allow-keys", placeholder: "FILE", group: .fleet,
      summary:
        "Accept messages from the holders of the public keys in FILE, one per line; else only from the own key",
      fromEnvironment: true))

  static let insecure = TypedOption<Bool>.flag(
    OptionLabel(
      name: "insecure-transport", group: .fleet,
      summary:
        "Use TCP without keys: anyone who can reach it, also on this machine, can read and forge messages"),
    negatable: false)

  static let json = TypedOption<Bool>.flag(
    OptionLabel(name: "json", group: .output, summary: "Print JSON, one object per line"), negatable: false)

  static let reachable = TypedOption<Bool>.flag(
    OptionLabel(
      name: "reachable", group: .general,
      summary: "Exit with 0 if the aggregator answers, even if the fleet is not well"),
    negatable: false)

  static let link = link(wait.spec)

  /// The options of commands that keep running.
  static let followingLink = link(waitOfFollowers.spec)

  private static func link(_ wait: OptionSpec) -> [OptionSpec] {
    [
      fleet.spec, wait, bind.spec, key.spec, alsoKey.spec, allowKeys.spec, insecure.spec,
      LinkOption.logLevel.spec,
      LinkOption.logFormat.spec,
    ]
  }
}

extension FleetOption {
  static let kind = TypedOption<SubmittedKind>.choice(
    OptionLabel(
      name: "kind", placeholder: "KIND", group: .input,
      summary: "Kind of the jobs that name none"),
    default: .title)

  static let batch = TypedOption<String?>.text(
    OptionLabel(
      name: "batch", placeholder: "ID", group: .input,
      summary: "Submit under this id; jobs that the fleet already has are not repeated"))

  static let name = TypedOption<String?>.text(
    OptionLabel(
      name: "name", placeholder: "TEXT", group: .input,
      summary: "Submit under an id made from TEXT, the same each time"))

  static let follow = TypedOption<Bool>.flag(
    OptionLabel(
      name: "follow", group: .output, summary: "Continue until the batch is complete"), negatable: false)

  static let cause = TypedOption<String>.text(
    OptionLabel(
      name: "cause", placeholder: "TEXT", group: .general, summary: "Why, for the rows of its jobs"),
    default: "cancelled by its user")

  static let count = TypedOption<Int>.integer(
    OptionLabel(
      name: "count", placeholder: "N", group: .general, summary: "Number of echoes, one after the other"),
    default: 1, in: 1...1_000_000)

  static let updates = TypedOption<Int>.integer(
    OptionLabel(
      name: "updates", placeholder: "N", group: .general, summary: "Stop after N updates; 0 never stops"),
    default: 0, in: 0...1_000_000_000)

  static let every = TypedOption<Int64>.duration(
    OptionLabel(
      name: "every", placeholder: "TIME", group: .general, summary: "Time between two updates"),
    default: 1_000, in: 100...aDay)
}

/// Options of workers.
extension FleetOption {
  static let runDirectory = TypedOption<String?>.text(
    OptionLabel(
      name: "run-dir", placeholder: "DIR", group: .fleet,
      summary:
        "Directory of the fleet's sockets and ledger; else $XDG_STATE_HOME/halyard/fleet (~/.local/state)",
      fromEnvironment: true))

  static let check = TypedOption<Bool>.flag(
    OptionLabel(
      name: "check", group: .fleet,
      summary: "Make the run directory, check that only this user can change it, and start nothing"),
    negatable: false)

  static let detach = TypedOption<Bool>.flag(
    OptionLabel(
      name: "detach", group: .fleet, summary: "Run in the background, and return when the fleet answers"),
    negatable: true)

  static let listen = TypedOption<String?>.text(
    OptionLabel(
      name: "listen", placeholder: "ADDRESS", group: .fleet,
      summary: "Address of the fleet, ipc://PATH or tcp://HOST:PORT, instead of ipc://DIR/aggregator",
      fromEnvironment: true))

  static let locality = TypedOption<String?>.text(
    OptionLabel(
      name: "locality", placeholder: "NAME", group: .fleet,
      summary: "Pages go only to decoders of the same locality; else the machine's name",
      fromEnvironment: true))

  static let ledger = TypedOption<String?>.text(
    OptionLabel(
      name: "ledger", placeholder: "FILE", group: .fleet,
      summary: "Keep jobs and rows in FILE instead of DIR/ledger.db", fromEnvironment: true))

  static let keepBatches = TypedOption<Int64>.duration(
    OptionLabel(
      name: "keep-batches", placeholder: "TIME", group: .limits,
      summary: "How long to keep a batch after its last job is over", fromEnvironment: true),
    default: 7 * aDay, in: 60_000...3_650 * aDay)

  static let abandonAfter = TypedOption<Int64>.duration(
    OptionLabel(
      name: "abandon-after", placeholder: "TIME", group: .limits,
      summary: "How long after the last submission to close a batch whose producer is gone",
      fromEnvironment: true),
    default: 600_000, in: 60_000...aDay)

  static let maxOpen = TypedOption<Int>.integer(
    OptionLabel(
      name: "max-open", placeholder: "N", group: .limits,
      summary: "Limit of open jobs; 'submit' waits while there are more", fromEnvironment: true),
    default: 10_000_000, in: 1...1_000_000_000)

  static let metrics = TypedOption<String?>.text(
    OptionLabel(
      name: "metrics", placeholder: "ADDRESS", group: .fleet,
      summary:
        "Serve /metrics for Prometheus, /healthz and /readyz over HTTP at this port of 127.0.0.1, or at IP:PORT;"
        + " anyone who reaches it can read them",
      fromEnvironment: true))

  static let untilInputEnds = TypedOption<Bool>.flag(
    OptionLabel(
      name: "until-input-ends", group: .fleet,
      summary: "Stop when standard input ends, as 'up' wants of its workers"), negatable: false)

  static let noSandbox = TypedOption<Bool>.flag(
    OptionLabel(
      name: "no-sandbox", group: .fleet,
      summary: "Run without the kernel's sandbox: a page that takes over this process can then open files,"
        + " start programs and connect to anything",
      fromEnvironment: true), negatable: false)

  static let maxDocument = TypedOption<Int>.byteSize(
    OptionLabel(
      name: "max-document", placeholder: "SIZE", group: .limits,
      summary: "Limit of a decompressed JSON document; a larger one is a failure",
      fromEnvironment: true),
    default: 8 << 20, in: 1_024...12 << 20)

  static let fetchers = TypedOption<Int>.integer(
    OptionLabel(name: "fetchers", placeholder: "N", group: .fleet, summary: "Number of fetchers"),
    default: 1, in: 1...1_000)

  static let decoders = TypedOption<Int>.integer(
    OptionLabel(name: "decoders", placeholder: "N", group: .fleet, summary: "Number of decoders"),
    default: 1, in: 1...1_000)

  static let keyFile = TypedOption<String?>.text(
    OptionLabel(
      name: "output", short: "o", placeholder: "FILE", group: .output,
      summary: "Write the keys to FILE, which must not exist yet"))

  static let keysOf = TypedOption<String?>.text(
    OptionLabel(
      name: "fleet-of", placeholder: "FILE", group: .input,
      summary: "Make keys for another member of the fleet whose keys are in FILE"))
}

enum SubmittedKind: String, CaseIterable, Sendable {
  case unfurl
  case title
  case decode
  case echo
}
