/// The commands that a fleet is made of.
extension CommandTable {
  static let fleetCommands = [up, aggregator, fetcher, decoder, keys]
  /// What 'up' starts.
  static let workers = [aggregator, fetcher, decoder]

  static let up = CommandSpec(
    name: "up",
    summary: "Run a fleet on this machine: an aggregator, fetchers and decoders",
    description: [
      "Starts each worker as a process of its own and starts again what dies. Ctrl-C and SIGTERM end the fleet: what is"
        + " under way is finished first; a second one ends it at once. What stands behind '--' goes to every worker"
        + " that has such an option.",
      "scripts/fleet start does the same in the background.",
    ],
    operands: .workerOptions,
    options: [
      FleetOption.fetchers.spec, FleetOption.decoders.spec, FleetOption.runDirectory.spec,
      FleetOption.listen.spec, FleetOption.ledger.spec, FleetOption.key.spec, FleetOption.allowKeys.spec,
      FleetOption.insecure.spec, FleetOption.check.spec, LinkOption.logFormat.spec, .help,
    ],
    examples: [
      Example(command: "halyard up --fetchers 2 --decoders 2", effect: "five processes"),
      Example(
        command: "halyard up --ledger jobs.db -- --allow-address 10.0.0.0/8 --per-host 4",
        effect: "with options for its workers"),
    ])

  static let aggregator = CommandSpec(
    name: "aggregator",
    summary: "Run a fleet's aggregator",
    description: [
      "Takes jobs, keeps them in a ledger, gives them to fetchers, and serves their rows. A fleet has one.",
      "Workers of another version get nothing to do, nor do fetchers with other options of those that change what is"
        + " found: given here, they say what the fetchers must have been given; else the first fetcher decides."
        + " 'halyard status' names such workers.",
    ],
    operands: .none,
    options: [FleetOption.listen.spec, FleetOption.ledger.spec] + common + [
      LinkOption.perHost.spec, LinkOption.hostDelay.spec, LinkOption.retries.spec,
      LinkOption.retryBudget.spec, LinkOption.giveUp.spec, FleetOption.maxOpen.spec,
      FleetOption.keepBatches.spec, FleetOption.abandonAfter.spec, CacheOption.cache.spec,
      CacheOption.failures.spec,
    ] + FindingSettings.specs + [.help],
    examples: [
      Example(command: "halyard aggregator --run-dir /run/halyard", effect: "for workers of this machine"),
      Example(
        command: "halyard aggregator --listen tcp://10.0.0.1:7700 --key fleet.key",
        effect: "for many machines"),
    ])

  static let fetcher = CommandSpec(
    name: "fetcher",
    summary: "Run a fetcher of a fleet",
    description: [
      "Follows links and fetches what is behind them. A fleet has as many as it needs; they come and go at any time."
    ],
    operands: .none,
    options: worker + RequestOption.all + [
      LinkOption.concurrency.spec, LinkOption.maxHops.spec, LinkOption.timeout.spec, LinkOption.maxPage.spec,
      FleetOption.maxDocument.spec, LinkOption.userAgent.spec, LinkOption.allowAddress.spec,
      LinkOption.respectRobots.spec,
    ] + LinkOption.network + [.help],
    examples: [
      Example(command: "halyard fetcher --run-dir /run/halyard", effect: "locally"),
      Example(
        command: "halyard fetcher --fleet tcp://10.0.0.1:7700 --bind tcp://10.0.0.7:0 --key fleet.key",
        effect: "elsewhere"),
    ])

  static let decoder = CommandSpec(
    name: "decoder",
    summary: "Run a decoder of a fleet",
    description: [
      "Reads pages and documents. Each cell of a fleet needs one; they come and go at any time.",
      "The kernel's sandbox keeps it from opening files and connections and from starting programs. It therefore cannot"
        + " read its settings again after a SIGHUP: restart it instead. 'up' does so by itself.",
    ],
    operands: .none,
    options: worker + [FleetOption.noSandbox.spec, .help],
    examples: [
      Example(command: "halyard decoder --run-dir /run/halyard", effect: "for a fleet on this machine")
    ])

  static let keys = CommandSpec(
    name: "keys",
    summary: "Make the keys of a fleet that talks over TCP",
    description: [
      "Writes the key pair of a fleet and that of a member of it, and prints the member's public key, which belongs into"
        + " the --allow-keys file of all members. With --fleet-of the fleet's pair is taken over."
    ],
    operands: .none,
    options: [FleetOption.keyFile.spec, FleetOption.keysOf.spec, .help],
    examples: [
      Example(command: "halyard keys -o fleet.key", effect: "for a whole fleet"),
      Example(
        command: "halyard keys --fleet-of fleet.key -o rack-7.key",
        effect: "for a member that can be shut out"),
    ])

  /// What each worker is told.
  private static let common = [
    FleetOption.runDirectory.spec, FleetOption.key.spec, FleetOption.allowKeys.spec,
    FleetOption.insecure.spec, FleetOption.untilInputEnds.spec, LinkOption.logLevel.spec,
    LinkOption.logFormat.spec,
  ]
  private static let worker = [FleetOption.fleet.spec, FleetOption.bind.spec, FleetOption.cell.spec] + common
}
