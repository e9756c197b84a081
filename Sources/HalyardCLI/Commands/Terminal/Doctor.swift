extension CommandTable {
  static let doctor = CommandSpec(
    name: "doctor",
    summary: "Check whether this machine can run halyard",
    description: [
      "Checks libraries, certificates, names, open files, the ledger, the fleet and the kernel's sandbox. Each is ok, a"
        + " warning or trouble, with what to do about it. Exits with 1 when there is trouble.",
      "It changes nothing, and asks no machine but the fleet's.",
    ],
    operands: .none,
    options: [FleetOption.ledger.spec, LinkOption.cacert.spec, FleetOption.json.spec] + FleetOption.link + [
      .help
    ],
    examples: [
      Example(command: "halyard doctor", effect: "for people"),
      Example(command: "halyard doctor --ledger /var/lib/halyard/jobs.db --json", effect: "for programs"),
    ],
    run: { try await DoctorCommand($0.arguments, environment: $0.environment).run() })
}
