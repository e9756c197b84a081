extension CommandTable {
  static let version = CommandSpec(
    name: "version",
    summary: "Show the version, the commit and the libraries in use",
    description: [
      "Prints the version, the commit of the sources, the Swift that compiled them, and the versions and features of the"
        + " libraries in use. Put it into bug reports. 'halyard --version --verbose' prints the same."
    ],
    operands: .none,
    options: [FleetOption.json.spec, .help],
    examples: [
      Example(command: "halyard version", effect: "for people"),
      Example(command: "halyard version --json", effect: "for programs"),
    ],
    run: { try VersionCommand($0.arguments).run() })
}
