extension CommandTable {
  static let submit = CommandSpec(
    name: "submit",
    summary: "Hand links to a running fleet, and go",
    description: [
      "Hands jobs to a fleet as fast as it takes them, and prints their batch's id as soon as all of them are safe in"
        + " the fleet's ledger. To submit the same input again under the same --batch or --name changes nothing.",
      linkForms,
    ],
    operands: .links,
    options: [
      LinkOption.input.spec, LinkOption.inputFormat.spec, LinkOption.column.spec, LinkOption.keep.spec,
      FleetOption.kind.spec, LinkOption.select.spec, LinkOption.require.spec, LinkOption.unwrap.spec,
      RequestOption.oembed.spec, FleetOption.batch.spec, FleetOption.name.spec,
      FleetOption.json.spec, LinkOption.progress.spec, LinkOption.quiet.spec,
    ] + FleetOption.followingLink + [LinkOption.deadline.spec, .help],
    examples: [
      Example(command: "halyard submit --input links.txt", effect: "titles of a file of links"),
      Example(
        command: "halyard submit --kind unfurl --name monday --input links.csv --column url",
        effect: "the same batch, however often it is submitted"),
    ],
    run: { try await SubmitCommand($0.arguments, fleet: $0.fleet(), environment: $0.environment).run() })
}
