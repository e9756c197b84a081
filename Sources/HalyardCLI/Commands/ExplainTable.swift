/// The command that tells why.
extension CommandTable {
  static let explain = CommandSpec(
    name: "explain",
    summary: "Tell every step on the way of one link, and why it was taken",
    description: [
      "Does what 'halyard title' does with one link, and tells each exchange: address, times, the headers that mattered,"
        + " the rule that led on or ended it, and what came of it. Values of cookies are not shown."
    ],
    operands: .link,
    options: [FleetOption.json.spec] + [
      RequestOption.header.spec, RequestOption.cookie.spec, LinkOption.maxHops.spec, LinkOption.timeout.spec,
      LinkOption.maxPage.spec, LinkOption.userAgent.spec, LinkOption.allowAddress.spec,
      LinkOption.respectRobots.spec, .help,
    ],
    examples: [
      Example(command: "halyard explain https://bit.ly/3xyz", effect: "for people"),
      Example(command: "halyard explain --json https://bit.ly/3xyz", effect: "one JSON object"),
    ])
}
