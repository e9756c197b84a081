import Pipeline
import Scheduling

/// The options of the commands that take links; each is declared here and nowhere else.
enum LinkOption {
  static let input = TypedOption<[String]>.repeated(
    OptionLabel(
      name: "input", placeholder: "FILE", group: .input,
      summary:
        "Read links from FILE, gzip or not; '-' is standard input; may be given again, for one file after another"
    ))

  static let inputFormat = TypedOption<InputFormat>.choice(
    OptionLabel(
      name: "input-format", placeholder: "FORMAT", group: .input,
      summary: "Format of the input"),
    default: .auto)

  static let column = TypedOption<String?>.text(
    OptionLabel(
      name: "column", placeholder: "NAME", group: .input,
      summary: "CSV column of the links; not needed when there is one column, or one named url, link or href")
  )

  static let keep = TypedOption<[String]>.names(
    OptionLabel(
      name: "keep", placeholder: "NAME,…", group: .input,
      summary: "CSV columns to copy into each row, as kept.NAME; 'all' copies all but the link's"))

  static let delimiter = TypedOption<String?>.text(
    OptionLabel(
      name: "delimiter", placeholder: "CHAR", group: .input,
      summary: "What stands between CSV cells, such as ';' or '|', or the word tab; else the first line tells"
    ))

  static let baseURL = TypedOption<String?>.text(
    OptionLabel(
      name: "base-url", placeholder: "URL", group: .input,
      summary:
        "Where the documents of --input are published, for their relative links; those are left out else"))

  /// How to read a list.
  static let list = [
    input.spec, inputFormat.spec, column.spec, keep.spec, delimiter.spec, baseURL.spec,
  ]

  static let select = TypedOption<String?>.selector(
    OptionLabel(
      name: "select", placeholder: "WHAT", group: .input,
      summary:
        "The part of the document to print: a JSON Pointer (RFC 6901) such as /items/0, or a JSONPath query (RFC 9535)"
        + " such as '$.items[?@.price<10].name', which yields an array of what it finds, perhaps an empty one; one of"
        + " names and indexes alone, such as '$.items[0]', yields the value itself. Else all of it"))

  static let require = TypedOption<[String]>.requirements(
    OptionLabel(
      name: "require", placeholder: "PATH:TYPE", group: .input,
      summary:
        "Fail unless PATH, a JSON Pointer or a JSONPath query of the whole document, finds something and all of it is of"
        + " TYPE: object, array, string, number, integer, boolean, null or any, or several such as 'string|null'. With a"
        + " '?' at the end it may find nothing; may be given again"))

  static let unwrap = TypedOption<Bool>.flag(
    OptionLabel(
      name: "unwrap", group: .input,
      summary:
        "Also take JSON inside a script: behind )]}' or for(;;); and the like, or as the argument of a call (JSONP)"
    ),
    negatable: false)

  /// How documents and pages are read whose jobs do not say it themselves.
  static func reading(_ arguments: ParsedArguments) -> Reading {
    var reading = Reading(
      select: arguments[select], require: arguments[require], unwraps: arguments[unwrap],
      wantsEmbed: arguments[RequestOption.oembed])
    // Other commands judge their rows: they have what they want of any response.
    if arguments.command.options.contains(select.spec) {
      reading.accepts = arguments[SelectionOption.accept].compactMap { StatusRange($0) }
    }
    return reading
  }

  static let ordered = TypedOption<Bool>.flag(
    OptionLabel(
      name: "ordered", group: .output, summary: "Print rows in the order of the input",
      fromEnvironment: true),
    negatable: true)

  static let output = TypedOption<String?>.text(
    OptionLabel(
      name: "output", short: "o", placeholder: "FILE", group: .output,
      summary:
        "Write the rows to FILE; .csv and .tsv set the format, and .sqlite makes a database. They stand in FILE.part until the command ends or is"
        + " interrupted, and take FILE's place then; when it is refused, FILE stays as it was"))

  static let ledger = TypedOption<String?>.text(
    OptionLabel(
      name: "ledger", placeholder: "FILE", group: .output,
      summary:
        "Keep jobs and rows in FILE: after an interruption, the same command resumes, and fetches no finished"
        + " link again"))

  static let quiet = TypedOption<Bool>.flag(
    OptionLabel(
      name: "quiet", group: .output, summary: "No progress line, no summary",
      fromEnvironment: true),
    negatable: true)

  static let progress = TypedOption<ProgressMode>.choice(
    OptionLabel(
      name: "progress", placeholder: "WHEN", group: .output,
      summary: "Progress on standard error; auto means on a terminal, unless the rows go into a pipe",
      fromEnvironment: true),
    default: .auto)

  static let format = TypedOption<OutputFormat?>.choice(
    formatLabel, default: "table on a terminal, else jsonl")

  static let linkFormat = TypedOption<LinkFormat>.choice(
    OptionLabel(
      name: "format", placeholder: "FORMAT", group: .output,
      summary: "How to print links; jsonl has the place and the text of each"), default: .lines)

  static let demoFormat = TypedOption<OutputFormat>.choice(formatLabel, default: .table)

  private static let logLevelLabel = OptionLabel(
    name: "log-level", placeholder: "LEVEL", group: .output,
    summary: "Lowest level to log on standard error", fromEnvironment: true)

  static let logLevel = TypedOption<LogLevel>.choice(logLevelLabel, default: .warning)

  /// A process that runs for long tells when it starts, drains and ends.
  static let workerLogLevel = TypedOption<LogLevel>.choice(logLevelLabel, default: .info)

  static let logFormat = TypedOption<LogFormat?>.choice(
    OptionLabel(
      name: "log-format", placeholder: "FORMAT", group: .output,
      summary:
        "Format of the log: text, JSON with one object per line, or text for systemd's journal",
      fromEnvironment: true),
    default: "journal where standard error leads there, else text")

  private static let formatLabel = OptionLabel(
    name: "format", placeholder: "FORMAT", group: .output, summary: "How to print rows",
    fromEnvironment: true)

  static let fields = TypedOption<[String]>.names(
    OptionLabel(
      name: "fields", placeholder: "NAME,…", group: .output,
      summary: "Members of the row to print, in this order: input,url,card.image,error.kind"))

  static let raw = TypedOption<Bool>.flag(
    OptionLabel(
      name: "raw", group: .output,
      summary:
        "Print values instead of rows, in the order of the input: text without quotes, all else as JSON, a line each;"
        + " failures go to standard error"), negatable: false)

  static let html = TypedOption<String?>.text(
    OptionLabel(
      name: "html", placeholder: "FILE", group: .output,
      summary:
        "Write a page of link previews into this file as well, as a chat shows them, with failures apart"))

  static let csvSafe = TypedOption<Bool>.flag(
    OptionLabel(
      name: "csv-safe", group: .output,
      summary: "Begin cells of csv and tsv with ' where a spreadsheet would take them for formulas"),
    negatable: true)
}

/// How much of the network a run may use, and for how long.
extension LinkOption {
  private static let aDay: Int64 = 24 * 3_600_000

  static let concurrency = TypedOption<Int>.integer(
    limit("concurrency", "N", "Transfers at a time"), default: 256, in: 1...10_000)

  static let threads = TypedOption<Int?>.integer(
    limit("threads", "N", "Threads that fetch and decode; they share the transfers"),
    default: "one for each processor", in: 1...256)

  static let perHost = TypedOption<Int>.integer(
    limit("per-host", "N", "Transfers at a time with one host, wherever links lead"), default: 8,
    in: 1...10_000)

  static let hostDelay = TypedOption<Int64>.duration(
    limit("host-delay", "TIME", "Pause between two transfers with one host"), default: 0,
    in: 0...aDay)

  static let maxHops = TypedOption<Int>.integer(
    limit("max-hops", "N", "Redirects to follow for one link"), default: 20, in: 0...1_000)

  static let timeout = TypedOption<Int64>.duration(
    limit(
      "timeout", "TIME",
      "Time limit for one attempt, including redirects; a slow first byte may take 10s of it, all of it above the default"
    ), default: 30_000, in: 1...aDay)

  static let deadline = TypedOption<Int64?>.duration(
    limit("deadline", "TIME", "Time limit for one job, including retries and pauses"), in: deadlines)

  static let deadlines = 1...7 * aDay

  /// A body travels in one message, with what was found about it.
  private static let bodySizes: ClosedRange<Int64> = 1_024...12 << 20

  static let maxPage = TypedOption<Int>.byteSize(
    limit(
      "max-body", "SIZE", "Bytes to read of a decompressed page, 12MiB at most; the rest is ignored"),
    default: 1 << 20, in: bodySizes)

  static let maxDocument = TypedOption<Int>.byteSize(
    limit(
      "max-body", "SIZE",
      "Limit of a decompressed document, 12MiB at most; a larger one is a failure"),
    default: 8 << 20, in: bodySizes)

  static let retries = TypedOption<Int>.integer(
    limit("retries", "N", "Retries after a temporary failure"), default: 3, in: 0...100)

  static let retryBudget = TypedOption<Int>.percent(
    limit("retry-budget", "SHARE", "Retries in all, as a share of the jobs; 100 more are always free"),
    default: 20, in: 0...10_000)

  static let giveUp = TypedOption<Int?>.integerOrNever(
    limit(
      "give-up", "N|never",
      "How often in a row a host cannot be reached until it is given up: its jobs fail at once for ten minutes;"
        + " 'never' tries them all. An answer such as 503 reaches it"),
    default: HostHealth.defaultLimit, in: 1...10_000)

  static let userAgent = TypedOption<String>.text(
    limit("user-agent", "TEXT", "User-Agent header of all requests"), default: "halyard/\(halyardVersion)"
  )

  static let allowAddress = TypedOption<[String]>.repeated(
    limit(
      "allow-address", "CIDR",
      "Also talk to these addresses, such as 10.0.0.0/8, 127.0.0.1:8080 or [::1]:8080, or to those that @FILE lists, one a"
        + " line; may be given again."
        + " Private, loopback and other special addresses are refused otherwise"))

  static let respectRobots = TypedOption<Bool>.flag(
    limit(
      "respect-robots", "",
      "Ask each site's robots.txt first, at every hop, and fetch nothing that it refuses to the name in"
        + " --user-agent"),
    negatable: true)

  static let proxy = TypedOption<String?>.text(
    limit(
      "proxy", "URL",
      "Fetch through this proxy: http://HOST:PORT, https://… or socks5h://…, with USER:PASSWORD@ if it wants them."
        + " A link's name is looked up on this machine first, with socks5h too, and a name that is unknown here is not"
        + " asked of the proxy. http_proxy and the like are ignored"))

  static let cacert = TypedOption<String?>.text(
    limit("cacert", "FILE", "Trust the authorities in this PEM file, and no others"))

  static let insecure = TypedOption<Bool>.flag(
    limit("insecure", "", "Accept any certificate, so anyone could be answering"), negatable: true)

  static let http1 = TypedOption<Bool>.flag(
    limit("http1", "", "Use only HTTP/1.1, even if a server offers HTTP/2"), negatable: true)

  static let network = [proxy.spec, cacert.spec, insecure.spec, http1.spec]

  static func limit(_ name: String, _ placeholder: String, _ summary: String) -> OptionLabel {
    OptionLabel(
      name: name, placeholder: placeholder, group: .limits, summary: summary, fromEnvironment: true)
  }
}
