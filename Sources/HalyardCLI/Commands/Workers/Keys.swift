extension CommandTable {
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
    ],
    run: { try KeysCommand($0.arguments).run() })
}
