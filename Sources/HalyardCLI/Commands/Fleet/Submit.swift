extension CommandTable {
  static let submit = CommandSpec(
    name: "submit",
    summary: "Submit links to a running fleet",
    description: [
      "Submits jobs as fast as the fleet takes them, and prints the id of their batch when all of them are in the"
        + " fleet's ledger. Submitting the same input again under the same --batch or --name only changes what"
        + " --priority, --at-most, --rate, --at and --finish-by say of it, as far as they are given.",
      linkForms,
    ],
    operands: .links,
    options: LinkOption.list + SelectionOption.links + [
      FleetOption.kind.spec, LinkOption.select.spec, LinkOption.require.spec, LinkOption.unwrap.spec,
      RequestOption.oembed.spec, FleetOption.batch.spec, FleetOption.name.spec,
      FleetOption.json.spec, LinkOption.progress.spec, LinkOption.quiet.spec,
    ] + FleetOption.followingLink + SharingOption.terms + [LinkOption.deadline.spec, .help],
    examples: [
      Example(command: "halyard submit --input links.txt", effect: "titles of a file of links"),
      Example(
        command: "halyard submit --kind unfurl --name monday --input links.csv --column url",
        effect: "the same batch, however often it is submitted"),
      Example(
        command: "halyard submit --priority low --rate 5/s --at 22:00 --input archive.txt",
        effect: "slowly, from ten in the evening, behind everything else"),
    ],
    run: { try await SubmitCommand($0.arguments, fleet: $0.fleet(), environment: $0.environment).run() })
}
