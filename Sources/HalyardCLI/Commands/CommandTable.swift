/// The version that `--version` and the user agent tell.
let halyardVersion = "0.1.0"

/// Every command there is, in the order of the help.
enum CommandTable {
  static let usage = "halyard COMMAND [OPTION…] [ARGUMENT…]"
  static let commands =
    linkCommands + [run, explain, demo] + talkCommands + fleetCommands + terminalCommands + [version, help]
  /// The commands that take links; a job of JSONL input names one of them as its kind.
  static let linkCommands = [unfurl, title, decode]

  static let linkForms =
    "Links are arguments, or come from --input: one per line, in a CSV column, or as JSONL jobs"
    + #" {"url":…,"kind":…,"ref":…} where only url is needed and ref comes back in the row; a title may have its own"#
    + " oembed, a decode its own select, require and unwrap."

  static func command(named name: String) -> CommandSpec? {
    commands.first { $0.name == name }
  }

  static let unfurl = CommandSpec(
    name: "unfurl",
    summary: "Tell where each link leads",
    description: [
      "Follows every redirect of each link: the final address, its status, the hops. One row per link.",
      linkForms,
    ],
    operands: .links,
    rowFields: ["input", "status", "url", "http_status", "error.kind"],
    options: sharedOptions(LinkOption.maxPage.spec, RequestOption.method.spec),
    examples: [
      Example(command: "halyard unfurl https://bit.ly/3xyz", effect: "one link"),
      Example(
        command: "halyard unfurl --input links.txt --format csv -o out.csv", effect: "a file, a link per line"
      ),
      Example(
        command: "halyard unfurl --input posts.csv --column url --keep id",
        effect: "a CSV column, its id kept"),
    ])

  static let title = CommandSpec(
    name: "title",
    summary: "Tell where each link leads and what is there: title and link card",
    description: [
      "Follows each link and reads the page behind it: its title, and the card that a link preview would show"
        + " (title, description, image, site). One row per link.",
      linkForms,
    ],
    operands: .links,
    rowFields: ["input", "status", "url", "http_status", "title", "error.kind"],
    options: sharedOptions(LinkOption.maxPage.spec, RequestOption.oembed.spec),
    examples: [
      Example(command: "halyard title https://example.org/", effect: "one page"),
      Example(
        command: "halyard title --input links.txt --fields input,title,card.image", effect: "chosen members"),
      Example(
        command: "zcat links.gz | halyard title - --ordered > rows.jsonl", effect: "standard input, in order"),
    ])

  static let decode = CommandSpec(
    name: "decode",
    summary: "Fetch JSON, check it, print it or a part of it",
    description: [
      "Follows each link, parses the JSON document behind it, and prints it, or the part that --select names,"
        + " as the row's value. One row per link.",
      "A stream of JSON, as lines (application/x-ndjson and the like, or a name that ends in .jsonl or .ndjson) or as a"
        + " sequence (application/json-seq), is an array of its texts. A broken line is a failure, a broken text of a"
        + " sequence is passed over with a warning in the row.",
      linkForms,
    ],
    operands: .links,
    rowFields: ["input", "status", "url", "http_status", "value", "error.kind"],
    options: sharedOptions(
      LinkOption.maxDocument.spec, LinkOption.select.spec, LinkOption.require.spec, LinkOption.unwrap.spec),
    examples: [
      Example(command: "halyard decode https://api.example.org/items", effect: "the whole document"),
      Example(
        command: "halyard decode --select /items/0/name https://api.example.org/items",
        effect: "one part of it"),
      Example(
        command: "halyard decode --select '$..name' https://api.example.org/items",
        effect: "an array of parts"),
      Example(
        command: "halyard decode --require /items:array https://api.example.org/items",
        effect: "fails unless it is an array"),
      Example(
        command: "halyard decode --input jobs.jsonl --format tsv", effect: "jobs with their own select"),
    ])

  static let demo = CommandSpec(
    name: "demo",
    summary: "Try all of it on a small site of its own; needs no internet",
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
    ])

  static let help = CommandSpec(
    name: "help",
    summary: "Show the help of a command",
    description: ["Shows what halyard can do, or the options of one command."],
    operands: .command,
    options: [.help],
    examples: [Example(command: "halyard help title", effect: "the options of title")])

  private static func sharedOptions(_ maxBody: OptionSpec, _ own: OptionSpec...) -> [OptionSpec] {
    [
      LinkOption.input.spec, LinkOption.inputFormat.spec, LinkOption.column.spec, LinkOption.keep.spec,
    ] + own + [
      LinkOption.format.spec, LinkOption.fields.spec, LinkOption.csvSafe.spec, LinkOption.output.spec,
      LinkOption.ordered.spec,
      LinkOption.ledger.spec,
      LinkOption.progress.spec, LinkOption.quiet.spec, LinkOption.logLevel.spec,
      LinkOption.logFormat.spec,
      FleetOption.chosenFleet.spec, FleetOption.waitOfRuns.spec, FleetOption.bind.spec,
      FleetOption.key.spec,
      FleetOption.allowKeys.spec, FleetOption.insecure.spec,
      RequestOption.header.spec, RequestOption.cookie.spec,
      LinkOption.concurrency.spec, LinkOption.perHost.spec, LinkOption.hostDelay.spec,
      LinkOption.maxHops.spec, LinkOption.timeout.spec, LinkOption.deadline.spec, maxBody,
      LinkOption.retries.spec, LinkOption.retryBudget.spec, LinkOption.giveUp.spec, LinkOption.userAgent.spec,
      LinkOption.allowAddress.spec, LinkOption.respectRobots.spec,
    ] + LinkOption.network + CacheOption.all + [.help]
  }
}
