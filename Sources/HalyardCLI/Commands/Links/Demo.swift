extension CommandTable {
  static let demo = CommandSpec(
    name: "demo",
    summary: "Try everything on a small web site of its own, without internet",
    description: [
      "Starts a small web site on this machine's loopback address, sends jobs of every kind through it, and prints"
        + " what becomes of them: redirects, pages, JSON, and typed failures. Nothing is tried twice."
        + " Exits with 0 when every link ended as it should, be it well or with its failure.",
      "With --serve it only serves the site, until it is interrupted, and prints its address: something to try other"
        + " commands on.",
    ],
    operands: .none,
    rowFields: ["kept.link", "title", "kept.shows", "status", "http_status", "error.kind"],
    options: [
      LinkOption.demoFormat.spec, LinkOption.fields.spec, DemoOption.serve.spec, DemoOption.port.spec, .help,
    ],
    examples: [
      Example(command: "halyard demo", effect: "a table"),
      Example(command: "halyard demo --format jsonl", effect: "the rows in full"),
      Example(command: "halyard demo --serve --port 8600", effect: "the site alone, for other commands"),
    ],
    run: { try await DemoCommand($0.arguments, environment: $0.environment).run() })
}
