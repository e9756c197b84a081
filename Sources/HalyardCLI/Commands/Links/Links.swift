extension CommandTable {
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
      LinkOption.inputFormat.spec, LinkOption.column.spec, LinkOption.delimiter.spec, LinkOption.baseURL.spec,
      LinkOption.linkFormat.spec, LinkOption.quiet.spec, .help,
    ],
    examples: [
      Example(command: "halyard links README.md", effect: "one link a line"),
      Example(
        command: "halyard links --base-url https://example.org/docs/ page.html", effect: "relative links, too"
      ),
      Example(
        command: "halyard links --format jsonl *.md | halyard unfurl - --input-format jsonl",
        effect: "with file, line and column"),
    ],
    run: { try LinksCommand($0.arguments).run() })
}
