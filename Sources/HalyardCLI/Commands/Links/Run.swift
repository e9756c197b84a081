extension CommandTable {
  static let run = CommandSpec(
    name: "run",
    summary: "Run a recipe: a chain of calls whose answers are gathered in order",
    description: [
      "A recipe is a JSON file of parameters, sections and steps; its form is described in the documentation."
        + " RECIPE is the path of one, or the name of one that is built in; --list shows those.",
      "Every call is a job of its own: fetched, tried again, and kept like those of decode. What was gathered is printed"
        + " as JSON. When a step fails, what waits for it is not done, and what is under way for it is ended; the message"
        + " says which step and why, and the exit status is 1.",
      "--check tells everything that is wrong with it, each with its line and column, and exits with 65; --show prints"
        + " it. Neither calls a server.",
    ],
    operands: .recipe,
    options: [
      RecipeOption.param.spec, RecipeOption.check.spec, RecipeOption.show.spec, RecipeOption.list.spec,
      RecipeOption.output.spec, RecipeOption.html.spec, RecipeOption.row.spec, LinkOption.ledger.spec,
      LinkOption.progress.spec, LinkOption.quiet.spec, LinkOption.logLevel.spec,
      LinkOption.logFormat.spec,
      FleetOption.chosenFleet.spec, FleetOption.waitOfRuns.spec, FleetOption.bind.spec,
      FleetOption.key.spec, FleetOption.allowKeys.spec, FleetOption.insecure.spec,
      RequestOption.header.spec, RequestOption.cookie.spec,
      LinkOption.concurrency.spec, LinkOption.threads.spec, LinkOption.perHost.spec,
      LinkOption.hostDelay.spec,
      LinkOption.maxHops.spec, LinkOption.timeout.spec, RecipeOption.deadline.spec,
      LinkOption.maxDocument.spec,
      LinkOption.retries.spec, LinkOption.retryBudget.spec, LinkOption.giveUp.spec, LinkOption.userAgent.spec,
      LinkOption.allowAddress.spec, LinkOption.respectRobots.spec,
    ] + LinkOption.network + [.help],
    examples: [
      Example(
        command: "halyard run users --param base=https://api.example.org",
        effect: "every user, details and all"),
      Example(command: "halyard run --list", effect: "the recipes that are built in"),
      Example(command: "halyard run --show users", effect: "a recipe to begin with"),
      Example(command: "halyard run --check mine.json", effect: "check it"),
      Example(
        command: "halyard run --check users --param details=no", effect: "does it have this parameter?"),
    ],
    run: { try await RecipeCommand($0.arguments, environment: $0.environment).run() })
}
