import Pipeline

extension CommandTable {
  static let fetcher = CommandSpec(
    name: "fetcher",
    summary: "Run a fetcher of a fleet",
    description: [
      "Follows links and fetches what is behind them. A fleet has as many as it needs; they come and go at any time.",
      "Without any of the options that change what is found, it takes those of the fleet from the aggregator.",
    ],
    operands: .none,
    options: workerOptions + RequestOption.all + [
      LinkOption.concurrency.spec, LinkOption.maxHops.spec, LinkOption.timeout.spec, LinkOption.maxPage.spec,
      FleetOption.maxDocument.spec, LinkOption.userAgent.spec, LinkOption.allowAddress.spec,
      LinkOption.respectRobots.spec,
    ] + LinkOption.network + [.help],
    examples: [
      Example(command: "halyard fetcher --run-dir /run/halyard", effect: "locally"),
      Example(
        command: "halyard fetcher --fleet tcp://10.0.0.1:7700 --bind tcp://10.0.0.7:0 --key fleet.key",
        effect: "elsewhere"),
    ],
    run: { try await WorkerCommand($0, role: .fetcher).run() })
}
