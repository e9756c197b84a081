import Pipeline

extension CommandTable {
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
      LinkOption.maxPage.spec, RequestOption.oembed.spec, SelectionOption.accept.spec,
      SelectionOption.htmlOnly.spec, LinkOption.html.spec),
    examples: [
      Example(command: "halyard title https://example.org/", effect: "one page"),
      Example(
        command: "halyard title --input links.txt --fields input,title,card.image", effect: "chosen members"),
      Example(
        command: "halyard title --input links.txt -o rows.jsonl --html previews.html",
        effect: "a page of previews as well"),
      Example(
        command: "zcat links.gz | halyard title - --ordered > rows.jsonl", effect: "standard input, in order"),
    ],
    run: { try await LinkCommand.run($0, kind: .title) })
}
