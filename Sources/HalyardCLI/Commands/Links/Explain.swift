extension CommandTable {
  static let explain = CommandSpec(
    name: "explain",
    summary: "Show each request for one link, and the rule that led on",
    description: [
      "Does what 'halyard title' does with one link, and tells each exchange: address, times, the headers that mattered,"
        + " the rule that led on or ended it, and what came of it. Values of cookies are not shown."
    ],
    operands: .link,
    options: [FleetOption.json.spec] + [
      RequestOption.header.spec, RequestOption.cookie.spec, RequestOption.oembed.spec,
      LinkOption.maxHops.spec, LinkOption.timeout.spec,
      LinkOption.maxPage.spec, LinkOption.userAgent.spec, LinkOption.allowAddress.spec,
      LinkOption.respectRobots.spec,
    ] + LinkOption.network + [.help],
    examples: [
      Example(command: "halyard explain https://bit.ly/3xyz", effect: "for people"),
      Example(
        command: "halyard explain --oembed https://video.example.org/7",
        effect: "the page and its oEmbed endpoint"),
      Example(command: "halyard explain --json https://bit.ly/3xyz", effect: "one JSON object"),
    ],
    run: { try await ExplainCommand($0.arguments).run() })
}
