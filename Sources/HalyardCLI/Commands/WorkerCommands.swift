import Assembly
import Pipeline

extension CommandTable {
  static let commonWorkerOptions = [OptionSpec](
    FleetOption.runDirectory, FleetOption.keys, FleetOption.metrics, FleetOption.untilInputEnds,
    LinkOption.workerLogLevel, LinkOption.logFormat)
  static let workerOptions = [OptionSpec](
    FleetOption.fleet, FleetOption.bind, FleetOption.locality, commonWorkerOptions)
  /// How to fetch is for the aggregator to say; only these may differ between the machines of a fleet.
  static let machineOptions = FindingSettings.options.filter { $0.marks.contains(.machines) }

  static let up = CommandSpec(
    name: "up",
    summary: "Run a fleet on this machine: an aggregator, fetchers and decoders",
    description: [
      "Starts each worker as a process of its own, and restarts those that die. Ctrl-C or SIGTERM ends the fleet after the"
        + " jobs in progress; a second one ends it at once. Options after '--' go to every worker that has them.",
      "With --detach, runs the fleet in the background, and returns when it answers. Its log is DIR/fleet.log, and 'down'"
        + " ends it.",
      "With --metrics, serves the restarts of its workers at that port, and the aggregator's metrics at the next one.",
    ],
    operands: .workerOptions,
    options: [
      FleetOption.fetchers, FleetOption.decoders, FleetOption.runDirectory, FleetOption.listen,
      FleetOption.ledger, FleetOption.keys, FleetOption.metrics, FleetOption.detach, FleetOption.check,
      LinkOption.logFormat,
    ],
    examples: [
      "halyard up --fetchers 2 --decoders 2": "five workers",
      "halyard up --detach": "in the background",
      "halyard up --ledger jobs.db -- --allow-address 10.0.0.0/8 --per-host 4":
        "with options for its workers",
    ],
    run: { context in
      let command = try UpCommand(context.arguments)
      guard context.arguments[FleetOption.detach], !context.arguments[FleetOption.check] else {
        return try await command.run()
      }
      return try await BackgroundFleet(context.arguments).run()
    })

  static let scale = CommandSpec(
    name: "scale",
    summary: "Change the number of workers of the fleet that runs on this machine",
    description: [
      "Tells the 'up' of the run directory to run N fetchers or N decoders from now on. Workers that are too many finish"
        + " their jobs and end; the newest end first. After a restart of 'up', its options count again."
    ],
    operands: .scale,
    options: [FleetOption.runDirectory, FleetOption.wait, FleetOption.json],
    examples: [
      "halyard scale fetchers 4": "start or end fetchers until there are four",
      "halyard scale decoders 2 --run-dir /srv/fleet": "in another fleet",
    ],
    run: interruptible { try ScaleCommand($0.arguments).run })

  static let down = CommandSpec(
    name: "down",
    summary: "End the fleet that runs on this machine",
    description: [
      "Finishes the jobs in progress first, for at most 65 seconds. Jobs that no worker has stay in the ledger.",
      "Refuses while the ledger's file is missing: its data would be lost with the aggregator.",
    ],
    options: [FleetOption.runDirectory, FleetOption.force],
    examples: [
      "halyard down": "end the fleet of the default run directory",
      "halyard down --run-dir /srv/fleet": "end another one",
    ],
    run: { try await DownCommand(arguments: $0.arguments).run() })

  static let aggregator = CommandSpec(
    name: "aggregator",
    summary: "Run a fleet's aggregator",
    description: [
      "Takes jobs, keeps them in a ledger, gives them to fetchers, and serves their rows. A fleet has one.",
      "The options that change what is found are the fleet's: fetchers take those that are given here. Workers whose frames are"
        + " of another major version get nothing to do. 'halyard status' names such workers.",
    ],
    options: [
      FleetOption.listen, FleetOption.ledger, commonWorkerOptions, LinkOption.perHost, LinkOption.hostDelay,
      LinkOption.retries, LinkOption.retryBudget, LinkOption.giveUp, FleetOption.maxOpen,
      FleetOption.keepBatches, FleetOption.abandonAfter, CacheOption.cache, CacheOption.failures,
      RequestOption.method, RequestOption.header, RequestOption.cookie, LinkOption.maxHops,
      LinkOption.maxPage, FleetOption.maxDocument, LinkOption.network,
    ],
    examples: [
      "halyard aggregator --run-dir /run/halyard": "for workers of this machine",
      "halyard aggregator --listen tcp://10.0.0.1:7700 --key fleet-keys": "for many machines",
    ],
    run: { try await WorkerCommand($0, role: .aggregator).run() })

  static let fetcher = CommandSpec(
    name: "fetcher",
    summary: "Run a fetcher of a fleet",
    description: [
      "Follows links and fetches what is behind them. A fleet has as many as it needs; they come and go at any time.",
      "How it fetches, its fleet's aggregator says. Only the options that belong to its machine are its own, and stand in the"
        + " place of the fleet's.",
    ],
    options: [workerOptions, LinkOption.concurrency, LinkOption.timeout, machineOptions],
    examples: [
      "halyard fetcher --run-dir /run/halyard": "locally",
      "halyard fetcher --fleet tcp://10.0.0.1:7700 --bind tcp://10.0.0.7:0 --key fleet-keys": "elsewhere",
    ],
    run: { try await WorkerCommand($0, role: .fetcher).run() })

  static let decoder = CommandSpec(
    name: "decoder",
    summary: "Run a decoder of a fleet",
    description: [
      "Reads pages and documents. Each locality of a fleet needs one; they come and go at any time.",
      "The kernel's sandbox keeps it from opening files, starting programs and making connections, but for those of its"
        + " fleet's kind, Unix sockets or TCP. It therefore cannot read its settings again after a SIGHUP: restart it"
        + " instead. 'up' does so by itself.",
    ],
    options: [workerOptions, FleetOption.noSandbox],
    examples: [
      "halyard decoder --run-dir /run/halyard": "for a fleet on this machine"
    ],
    run: { try await WorkerCommand($0, role: .decoder).run() })

  static let keys = CommandSpec(
    name: "keys",
    summary: "Make the keys of a fleet that talks over TCP",
    description: [
      "Makes a directory with a key file for each role: aggregator.key, fetcher.key, decoder.key and client.key. Each"
        + " holds the secret of its role and the public keys of all. Give a machine the files that it needs.",
      "With --fleet-of and --role, makes a key file for one more member. Lines of a role and a public key are printed,"
        + " for the --allow-keys files of all members: a member can be shut out by deleting its line.",
    ],
    options: [FleetOption.keyFile, FleetOption.keysOf, FleetOption.keyRole],
    examples: [
      "halyard keys -o fleet-keys": "for a whole fleet",
      "halyard keys --fleet-of fleet-keys --role fetcher -o rack-7.key": "for a member that can be shut out",
    ],
    run: { try Program.show(KeysCommand($0.arguments).make()) })
}
