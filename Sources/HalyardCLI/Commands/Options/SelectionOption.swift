/// The options that choose which links get jobs, and which rows count and are printed.
enum SelectionOption {
  static let include = TypedOption<[String]>.lines(
    OptionLabel(
      name: "include", placeholder: "EXPR", group: .input,
      summary:
        "Skip links in which the regular expression EXPR (RFC 9485) is not found; if given again, one of them is enough"
    )
  )

  static let exclude = TypedOption<[String]>.lines(
    OptionLabel(
      name: "exclude", placeholder: "EXPR", group: .input,
      summary: "Skip links in which EXPR is found, also if --include takes them; may be given again"))

  static let excludeFile = TypedOption<[String]>.repeated(
    OptionLabel(
      name: "exclude-file", placeholder: "FILE", group: .input,
      summary:
        "Exclude by the expressions in FILE, one a line, such as .lycheeignore; lines that begin with # are comments; may"
        + " be given again"))

  static let dedupe = TypedOption<Bool>.flag(
    OptionLabel(
      name: "dedupe", group: .input,
      summary: "Skip a link that came before in the input, compared as a normalized URL"),
    negatable: true)

  static let links = [include.spec, exclude.spec, excludeFile.spec, dedupe.spec]

  static let accept = TypedOption<[String]>.names(
    OptionLabel(
      name: "accept", placeholder: "STATUS,…", group: .output,
      summary:
        "Count only these final statuses as a success, such as 200..=299,403. Else unfurl takes any,"
        + " title and decode those below 400. decode reads the document of a status that counts"))

  static let htmlOnly = TypedOption<Bool>.flag(
    OptionLabel(
      name: "html-only", group: .output,
      summary: "Count anything but an HTML page as a failure, such as JSON, an image or a PDF"),
    negatable: true)

  static let failuresOnly = TypedOption<Bool>.flag(
    OptionLabel(
      name: "failures-only", group: .output,
      summary: "Print only rows that are not ok; summary and exit status stay the same"),
    negatable: true)
}
