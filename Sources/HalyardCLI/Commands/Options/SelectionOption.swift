import Pipeline

/// The options that choose which links get jobs, and which rows count and are printed.
enum SelectionOption {
  static let include = Option<[String]>(
    "--include EXPR", .input, .lines(checking(LinkSelection.pattern)),
    "Skip links in which the regular expression EXPR (RFC 9485) is not found; if given again, one of them is enough"
  )

  static let exclude = Option<[String]>(
    "--exclude EXPR", .input, .lines(checking(LinkSelection.pattern)),
    "Skip links in which EXPR is found, also if --include takes them; may be given again")

  static let excludeFile = Option<[String]>(
    "--exclude-file FILE", .input, .repeated,
    "Exclude by the expressions in FILE, one a line, such as .lycheeignore; lines that begin with # are comments; may"
      + " be given again")

  static let dedupe = Option<Bool>(
    "--[no-]dedupe", .input, .flag, "Skip a link that came before in the input, compared as a normalized URL")

  static let links = [OptionSpec](include, exclude, excludeFile, dedupe)

  static let accept = Option<[StatusRange]>(
    "--accept STATUS,…", .output,
    .names(
      parsing(
        StatusRange.init, otherwise: "is neither a status such as 403 nor a range such as 200..=299")),
    "Count only these final statuses as a success, such as 200..=299,403. Else unfurl takes any,"
      + " title and decode those below 400. decode reads the document of a status that counts")

  static let htmlOnly = Option<Bool>(
    "--[no-]html-only", .output, .flag,
    "Count anything but an HTML page as a failure, such as JSON, an image or a PDF")

  static let failuresOnly = Option<Bool>(
    "--[no-]failures-only", .output, .flag,
    "Print only rows that are not ok; summary and exit status stay the same")
}
