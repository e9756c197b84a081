import Pipeline

extension CommandTable {
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
      LinkOption.maxDocument.spec, LinkOption.select.spec, LinkOption.require.spec, LinkOption.unwrap.spec,
      LinkOption.raw.spec, SelectionOption.accept.spec),
    examples: [
      Example(command: "halyard decode https://api.example.org/items", effect: "the whole document"),
      Example(
        command: "halyard decode --select /items/0/name https://api.example.org/items",
        effect: "one part of it"),
      Example(
        command: "halyard decode --raw --select /items/0/name https://api.example.org/items",
        effect: "its text alone"),
      Example(
        command: "halyard decode --select '$..name' https://api.example.org/items",
        effect: "an array of parts"),
      Example(
        command: "halyard decode --require /items:array https://api.example.org/items",
        effect: "fails unless it is an array"),
      Example(
        command: "halyard decode --input jobs.jsonl --format tsv", effect: "jobs with their own select"),
    ],
    run: { try await LinkCommand.run($0, kind: .decode) })
}
