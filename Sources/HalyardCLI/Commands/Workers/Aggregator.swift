import Pipeline

extension CommandTable {
  static let aggregator = CommandSpec(
    name: "aggregator",
    summary: "Run a fleet's aggregator",
    description: [
      "Takes jobs, keeps them in a ledger, gives them to fetchers, and serves their rows. A fleet has one.",
      "The options that change what is found are the fleet's: fetchers that were given none take those that are given here, and"
        + " fetchers with others get nothing to do. Without any here, the first fetcher decides. Workers whose frames are"
        + " more than one minor version away get nothing to do either. 'halyard status' names such workers.",
    ],
    operands: .none,
    options: [FleetOption.listen.spec, FleetOption.ledger.spec] + commonWorkerOptions + [
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
    ],
    run: { try await WorkerCommand($0, role: .aggregator).run() })
}
