import Pipeline

extension CommandTable {
  static let decoder = CommandSpec(
    name: "decoder",
    summary: "Run a decoder of a fleet",
    description: [
      "Reads pages and documents. Each locality of a fleet needs one; they come and go at any time.",
      "The kernel's sandbox keeps it from opening files, starting programs and making connections, but for those of its"
        + " fleet's kind, Unix sockets or TCP. It therefore cannot read its settings again after a SIGHUP: restart it"
        + " instead. 'up' does so by itself.",
    ],
    operands: .none,
    options: workerOptions + [FleetOption.noSandbox.spec, .help],
    examples: [
      Example(command: "halyard decoder --run-dir /run/halyard", effect: "for a fleet on this machine")
    ],
    run: { try await WorkerCommand($0, role: .decoder).run() })
}
