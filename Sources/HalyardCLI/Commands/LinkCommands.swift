import Pipeline

extension CommandTable {
  static let linkForms =
    "Links are arguments, or come from --input: one per line, in a column of CSV or TSV, or as JSONL jobs"
    + #" {"url":…,"kind":…,"ref":…} where only url is needed and ref comes back in the row; each may have its own"#
    + " language, a title its own oembed, a decode its own select, require and unwrap. Rows that halyard printed are an input too."

  /// What unfurl, title and decode share.
  static func sharedOptions(_ maxBody: Option<Int>, _ own: any OptionRows...) -> [any OptionRows] {
    [LinkOption.list, SelectionOption.links] + own + [
      LinkOption.format, LinkOption.fields, LinkOption.csvSafe, LinkOption.output, LinkOption.ordered,
      SelectionOption.failuresOnly, fetching(LinkOption.deadline, maxBody), CacheOption.cache,
      CacheOption.failures, CacheOption.file,
    ]
  }

  /// What these share with a recipe.
  private static func fetching(_ deadline: Option<Int64?>, _ maxBody: Option<Int>) -> [OptionSpec] {
    [OptionSpec](
      LinkOption.ledger, LinkOption.progress, LinkOption.quiet, LinkOption.logLevel, LinkOption.logFormat,
      FleetOption.chosenLink, RequestOption.header, RequestOption.cookie, RequestOption.language,
      LinkOption.pace, deadline, maxBody, LinkOption.retries, LinkOption.retryBudget, LinkOption.giveUp,
      LinkOption.network)
  }

  static let unfurl = CommandSpec(
    name: "unfurl",
    summary: "Resolve links to their final URL",
    description: [
      "Follows every redirect of each link: the final address, its status, the hops. One row per link.",
      linkForms,
    ],
    operands: .links,
    rowFields: ["input", "status", "url", "http_status", "error.kind"],
    options: sharedOptions(LinkOption.maxPage, RequestOption.method, SelectionOption.accept),
    examples: [
      "halyard unfurl https://bit.ly/3xyz": "one link",
      "halyard unfurl --input links.txt --format csv -o out.csv": "a file, a link per line",
      "halyard unfurl --input posts.csv --column url --keep id": "a CSV column, its id kept",
    ],
    run: { try await LinkCommand($0.arguments, kind: .unfurl, fleet: $0.arguments.chosenFleet()).run() })

  static let title = CommandSpec(
    name: "title",
    summary: "Resolve links, and read the titles and previews of their pages",
    description: [
      "Follows each link and reads the page behind it: its title, and the card that a link preview would show"
        + " (title, description, image, site). One row per link.",
      linkForms,
    ],
    operands: .links,
    rowFields: ["input", "status", "url", "http_status", "title", "error.kind"],
    options: sharedOptions(
      LinkOption.maxPage, RequestOption.oembed, SelectionOption.accept,
      SelectionOption.htmlOnly, LinkOption.html),
    examples: [
      "halyard title https://example.org/": "one page",
      "halyard title --input links.txt --fields input,title,card.image": "chosen members",
      "halyard title --input links.txt -o rows.jsonl --html previews.html": "a page of previews as well",
      "zcat links.gz | halyard title - --ordered > rows.jsonl": "standard input, in order",
    ],
    run: { try await LinkCommand($0.arguments, kind: .title, fleet: $0.arguments.chosenFleet()).run() })

  static let decode = CommandSpec(
    name: "decode",
    summary: "Fetch JSON, check it, and print all or a part of it",
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
      LinkOption.maxDocument, LinkOption.select, LinkOption.require, LinkOption.unwrap,
      LinkOption.raw, SelectionOption.accept),
    examples: [
      "halyard decode https://api.example.org/items": "the whole document",
      "halyard decode --select /items/0/name https://api.example.org/items": "one part of it",
      "halyard decode --raw --select /items/0/name https://api.example.org/items": "its text alone",
      "halyard decode --select '$..name' https://api.example.org/items": "an array of parts",
      "halyard decode --require /items:array https://api.example.org/items": "fails unless it is an array",
      "halyard decode --input jobs.jsonl --format tsv": "jobs with their own select",
    ],
    run: { try await LinkCommand($0.arguments, kind: .decode, fleet: $0.arguments.chosenFleet()).run() })

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
      RecipeOption.param, RecipeOption.check, RecipeOption.show, RecipeOption.list, RecipeOption.output,
      RecipeOption.html, RecipeOption.row, fetching(RecipeOption.deadline, LinkOption.maxDocument),
    ],
    examples: [
      "halyard run users --param base=https://api.example.org": "every user, details and all",
      "halyard run --list": "the recipes that are built in",
      "halyard run --show users": "a recipe to begin with",
      "halyard run --check mine.json": "check it",
      "halyard run --check users --param details=no": "does it have this parameter?",
    ],
    run: { try await RecipeCommand($0.arguments).run() })

  static let explain = CommandSpec(
    name: "explain",
    summary: "Show each request for one link, and the rule that led on",
    description: [
      "Does what 'halyard title' does with one link, and tells each exchange: address, times, the headers that mattered,"
        + " the rule that led on or ended it, and what came of it. Values of cookies are not shown."
    ],
    operands: .link,
    options: [
      FleetOption.json, RequestOption.header, RequestOption.cookie, RequestOption.language,
      RequestOption.oembed, LinkOption.maxHops, LinkOption.timeout, LinkOption.maxPage, LinkOption.network,
    ],
    examples: [
      "halyard explain https://bit.ly/3xyz": "for people",
      "halyard explain --oembed https://video.example.org/7": "the page and its oEmbed endpoint",
      "halyard explain --json https://bit.ly/3xyz": "one JSON object",
    ],
    run: interruptible { context in { try await ExplainCommand.run(context.arguments) } })

  static let links = CommandSpec(
    name: "links",
    summary: "Print the links of documents, without fetching them",
    description: [
      "Reads Markdown, HTML, sitemaps, feeds, text, and lists as --input of 'halyard title' does, and prints each link of"
        + " them: one a line, or with --format jsonl as jobs with the place of the link, which 'halyard title' and others"
        + " take. The file's name tells its format; a file with another name is text.",
      "Links to the document itself and those that HTTP cannot fetch, such as mailto:, are passed over, and so are relative"
        + " links without --base-url.",
    ],
    operands: .files,
    options: [
      LinkOption.inputFormat, LinkOption.column, LinkOption.delimiter, LinkOption.baseURL,
      LinkOption.linkFormat, LinkOption.quiet,
    ],
    examples: [
      "halyard links README.md": "one link a line",
      "halyard links --base-url https://example.org/docs/ page.html": "relative links, too",
      "halyard links --format jsonl *.md | halyard unfurl - --input-format jsonl":
        "with file, line and column",
    ],
    run: { try LinksCommand($0.arguments).run() })

  static let demo = CommandSpec(
    name: "demo",
    summary: "Try everything on a small web site of its own, without internet",
    description: [
      "Starts a small web site on this machine's loopback address, sends jobs of every kind through it, and prints"
        + " what becomes of them: redirects, pages, JSON, and typed failures. Nothing is tried twice."
        + " Exits with 0 when every link ended as it should, be it well or with its failure.",
      "With --serve it only serves the site, until it is interrupted, and prints its address: something to try other"
        + " commands on.",
    ],
    rowFields: ["kept.link", "title", "kept.shows", "status", "http_status", "error.kind"],
    options: [LinkOption.demoFormat, LinkOption.fields, DemoOption.serve, DemoOption.port],
    examples: [
      "halyard demo": "a table",
      "halyard demo --format jsonl": "the rows in full",
      "halyard demo --serve --port 8600": "the site alone, for other commands",
    ],
    run: { try await DemoCommand($0.arguments).run() })

  static let serve = CommandSpec(
    name: "serve",
    summary: "Serve link previews over HTTP, with a page to try them",
    description: [
      "Answers GET /v1/preview?url=… with what a chat shows of a link, from memory or after fetching it. Also speaks as an"
        + " oEmbed provider (/oembed) and as iframely (/iframely, /api/iframely); /openapi.json describes all of it, and / is"
        + " a page for people.",
      "Equal requests share one fetch. An answer is fresh for --cache, and is given for a week more while a new one is"
        + " fetched; a failure that may pass is kept for a minute. Nothing is tried twice for who waits.",
      "Who can reach it may ask: at an address of other machines it needs a --token-file. With --fleet, a fleet fetches the"
        + " links.",
    ],
    options: [
      ServeOption.http, ServeOption.demo, ServeOption.hostNames, ServeOption.tokens, ServeOption.origins,
      ServeOption.proxies, ServeOption.denied, ServeOption.accessLog, ServeOption.cache,
      ServeOption.answerFile, FleetOption.untilInputEnds, FleetOption.chosenLink, RequestOption.oembed,
      RequestOption.language, LinkOption.quiet, LinkOption.logLevel, LinkOption.logFormat, LinkOption.pace,
      LinkOption.maxPage, LinkOption.giveUp, LinkOption.network,
    ],
    examples: [
      "halyard serve": "at http://127.0.0.1:7780/",
      "halyard serve --demo": "with a small site to try it on, without internet",
      "halyard serve --http 0.0.0.0:7780 --token-file tokens": "for other machines",
    ],
    run: { try await ServeCommand($0.arguments).run() })
}
