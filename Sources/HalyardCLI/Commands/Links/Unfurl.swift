import Pipeline

extension CommandTable {
  static let unfurl = CommandSpec(
    name: "unfurl",
    summary: "Resolve links to their final URL",
    description: [
      "Follows every redirect of each link: the final address, its status, the hops. One row per link.",
      linkForms,
    ],
    operands: .links,
    rowFields: ["input", "status", "url", "http_status", "error.kind"],
    options: sharedOptions(LinkOption.maxPage.spec, RequestOption.method.spec, SelectionOption.accept.spec),
    examples: [
      Example(command: "halyard unfurl https://bit.ly/3xyz", effect: "one link"),
      Example(
        command: "halyard unfurl --input links.txt --format csv -o out.csv", effect: "a file, a link per line"
      ),
      Example(
        command: "halyard unfurl --input posts.csv --column url --keep id",
        effect: "a CSV column, its id kept"),
    ],
    run: { try await LinkCommand.run($0, kind: .unfurl) })
}
