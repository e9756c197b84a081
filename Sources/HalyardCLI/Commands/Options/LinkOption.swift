import Assembly
internal import JSONQuery
internal import Links
import Pipeline
import Roles

/// The options of the commands that take links; each is declared here and nowhere else.
enum LinkOption {
  static let input = Option<[String]>(
    "--input FILE", .input, .files,
    "Read links from FILE, gzip or not; '-' is standard input; may be given again, for one file after another"
  )

  static let inputFormat = Option<InputFormat>(
    "--input-format FORMAT", .input, .choice(default: .auto), "Format of the input")

  static let column = Option<String?>(
    "--column NAME", .input, .text,
    "CSV column of the links; not needed when there is one column, or one named url, link or href")

  static let keep = Option<[String]>(
    "--keep NAME,…", .input, .names,
    "CSV columns to copy into each row, as kept.NAME; 'all' copies all but the link's")

  static let delimiter = Option<UInt8?>(
    "--delimiter CHAR", .input,
    .text(
      parsing(
        CSVDialect.delimiter, otherwise: "is not one character such as ';' or '|', or the word tab")),
    "What stands between CSV cells, such as ';' or '|', or the word tab; else the first line tells")

  static let baseURL = Option<WebURL?>(
    "--base-url URL", .input,
    .text(
      parsing(
        { try? WebURL($0) }, otherwise: "is not an http or https URL such as https://example.org/docs/")),
    "Where the documents of --input are published, for their relative links; those are left out else")

  /// How to read a list.
  static let list = [OptionSpec](input, inputFormat, column, keep, delimiter, baseURL)

  static let select = Option<String?>(
    "--select WHAT", .input, .text(checking(parsing(JSONSelector.init) { $0.message })),
    "The part of the document to print: a JSON Pointer (RFC 6901) such as /items/0, or a JSONPath query (RFC 9535)"
      + " such as '$.items[?@.price<10].name', which yields an array of what it finds, perhaps an empty one; one of"
      + " names and indexes alone, such as '$.items[0]', yields the value itself. Else all of it")

  static let require = Option<[String]>(
    "--require PATH:TYPE", .input, .lines(checking(parsing(JSONRequirement.init) { $0.message })),
    "Fail unless PATH, a JSON Pointer or a JSONPath query of the whole document, finds something and all of it is of"
      + " TYPE: object, array, string, number, integer, boolean, null or any, or several such as 'string|null'. With a"
      + " '?' at the end it may find nothing; may be given again")

  static let unwrap = Option<Bool>(
    "--unwrap", .input, .flag,
    "Also take JSON inside a script: behind )]}' or for(;;); and the like, or as the argument of a call (JSONP)"
  )

  /// How documents and pages are read whose jobs do not say it themselves.
  static func reading(_ arguments: ParsedArguments) -> Reading {
    var reading = Reading(
      select: arguments[select], require: arguments[require], unwraps: arguments[unwrap],
      wantsEmbed: arguments[RequestOption.oembed])
    reading.language = arguments[RequestOption.language]
    // Other commands judge their rows: they have what they want of any response.
    if arguments.command.options.contains(select.spec) {
      reading.accepts = arguments[SelectionOption.accept]
    }
    return reading
  }

  static let ordered = Option<Bool>(
    "--[no-]ordered", .output, .variable, .flag, "Print rows in the order of the input")

  static let output = Option<String?>(
    "-o, --output FILE", .output, .file,
    "Write the rows to FILE; .csv and .tsv set the format, and .sqlite makes a database. They stand in FILE.part until the command ends or is"
      + " interrupted, and take FILE's place then; when it is refused, FILE stays as it was")

  static let ledger = Option<String?>(
    "--ledger FILE", .output, .fleets, .file,
    "Keep jobs and rows in FILE: after an interruption, the same command resumes, and fetches no finished"
      + " link again")

  static let quiet = Option<Bool>("--[no-]quiet", .output, .variable, .flag, "No progress line, no summary")

  static let progress = Option<ProgressMode>(
    "--progress WHEN", .output, .variable, .choice(default: .auto),
    "Progress on standard error; auto means on a terminal, unless the rows go into a pipe")

  static let format = Option<OutputFormat?>(
    "--format FORMAT", .output, .variable, .choice(default: "table on a terminal, else jsonl"),
    "How to print rows")

  static let linkFormat = Option<LinkFormat>(
    "--format FORMAT", .output, .choice(default: .lines),
    "How to print links; jsonl has the place and the text of each")

  static let demoFormat = Option<OutputFormat>(
    "--format FORMAT", .output, .variable, .choice(default: .table), format.summary)

  static let logLevel = Option<LogLevel>(
    "--log-level LEVEL", .output, .variable, .choice(default: .warning),
    "Lowest level to log on standard error")

  /// A process that runs for long tells when it starts, drains and ends.
  static let workerLogLevel = Option<LogLevel>(
    "--log-level LEVEL", .output, [.variable, .reread], .choice(default: .info), logLevel.summary)

  static let logFormat = Option<LogFormat?>(
    "--log-format FORMAT", .output, .variable,
    .choice(default: "journal where standard error leads there, else text"),
    "Format of the log: text, JSON with one object per line, or text for systemd's journal")

  static let fields = Option<[String]>(
    "--fields NAME,…", .output, .names,
    "Members of the row to print, in this order: input,url,card.image,error.kind")

  static let raw = Option<Bool>(
    "--raw", .output, .flag,
    "Print values instead of rows, in the order of the input: text without quotes, all else as JSON, a line each;"
      + " failures go to standard error")

  static let html = Option<String?>(
    "--html FILE", .output, .file,
    "Write a page of link previews into this file as well, as a chat shows them, with failures apart")

  static let csvSafe = Option<Bool>(
    "--[no-]csv-safe", .output, .flag,
    "Begin cells of csv and tsv with ' where a spreadsheet would take them for formulas")
}

/// How much of the network a run may use, and for how long.
extension LinkOption {
  static let concurrency = Option<Int>(
    "--concurrency N", .limits, [.variable, .fleets], .integer(PipelineOptions.concurrencies, default: 256),
    "Transfers at a time")

  static let threads = Option<Int?>(
    "--threads N", .limits, [.variable, .fleets],
    .integer(PipelineOptions.threadCounts, default: "one for each processor"),
    "Threads that fetch and decode; they share the transfers")

  static let perHost = Option<Int>(
    "--per-host N", .limits, [.variable, .fleets], .integer(PipelineOptions.hostCounts, default: 8),
    "Transfers at a time with one host, wherever links lead"
  ).forHosts()

  static let hostDelay = Option<Int64>(
    "--host-delay TIME", .limits, [.variable, .fleets], .integer(0...FleetOption.aDay, as: .time, default: 0),
    "Pause between two transfers with one host"
  ).forHosts("delay")

  static let maxHops = Option<Int>(
    "--max-hops N", .limits, [.variable, .findings], .integer(PipelineOptions.hopCounts, default: 20),
    "Redirects to follow for one link")

  static let timeout = Option<Int64>(
    "--timeout TIME", .limits, [.variable, .fleets],
    .integer(1...FleetOption.aDay, as: .time, default: 30_000),
    "Time limit for one attempt, including redirects; a slow first byte may take 10s of it, all of it above the default"
  )

  static let deadline = Option<Int64?>(
    "--deadline TIME", .limits, .variable, .integer(deadlines, as: .time),
    "Time limit for one job, including retries and pauses")

  static let deadlines = 1...7 * FleetOption.aDay

  static let maxPage = Option<Int>(
    "--max-body SIZE", .limits, [.variable, .findings],
    .integer(PipelineOptions.bodySizes, as: .size, default: 1 << 20),
    "Bytes to read of a decompressed page, 12MiB at most; the rest is ignored")

  static let maxDocument = Option<Int>(
    "--max-body SIZE", .limits, [.variable, .findings],
    .integer(PipelineOptions.bodySizes, as: .size, default: 8 << 20),
    "Limit of a decompressed document, 12MiB at most; a larger one is a failure")

  static let retries = Option<Int>(
    "--retries N", .limits, [.variable, .fleets], .integer(0...100, default: 3),
    "Retries after a temporary failure")

  static let retryBudget = Option<Int>(
    "--retry-budget SHARE", .limits, [.variable, .fleets], .integer(0...10_000, as: .share, default: 20),
    "Retries in all, as a share of the jobs; 100 more are always free")

  static let giveUp = Option<Int?>(
    "--give-up N|never", .limits, [.variable, .fleets],
    .integerOrNever(1...10_000, default: HostHealth.defaultLimit),
    "How often in a row a host cannot be reached until it is given up: its jobs fail at once for ten minutes;"
      + " 'never' tries them all. An answer such as 503 reaches it, but one that asks to wait (Retry-After) for too long in"
      + " all gives it up too")

  static let userAgent = Option<String>(
    "--user-agent TEXT", .limits, [.variable, .findings],
    .text(default: "halyard/\(halyardVersion)", oneLine),
    "User-Agent header of all requests"
  ).forHosts()

  static let allowAddress = Option<[String]>(
    "--allow-address CIDR", .limits, [.variable, .findings, .machines, .reread], .repeated,
    "Also talk to these addresses, such as 10.0.0.0/8, 127.0.0.1:8080 or [::1]:8080, or to those that @FILE lists, one a"
      + " line; may be given again."
      + " Private, loopback and other special addresses are refused otherwise")

  static let respectRobots = Option<Bool>(
    "--[no-]respect-robots", .limits, [.variable, .findings], .flag,
    "Ask each site's robots.txt first, at every hop, and fetch nothing that it refuses to the name in"
      + " --user-agent")

  static let proxy = Option<String?>(
    "--proxy URL", .limits, [.variable, .findings, .machines, .secret], .text(proxy),
    "Fetch through this proxy: http://HOST:PORT, https://… or socks5h://…, with USER:PASSWORD@ if it wants them."
      + " A link's name is looked up on this machine first, with socks5h too, and a name that is unknown here is not"
      + " asked of the proxy. http_proxy and the like are ignored")

  static let cacert = Option<String?>(
    "--cacert FILE", .limits, [.variable, .findings, .machines], .text,
    "Trust the authorities in this PEM file, and no others")

  static let insecure = Option<Bool>(
    "--[no-]insecure", .limits, [.variable, .findings], .flag,
    "Accept any certificate, so anyone could be answering")

  static let http1 = Option<Bool>(
    "--[no-]http1", .limits, [.variable, .findings], .flag,
    "Use only HTTP/1.1, even if a server offers HTTP/2")

  static let nat64Prefix = Option<[NAT64Prefix]>(
    "--nat64-prefix PREFIX", .limits, [.variable, .findings],
    .repeated(parsing(NAT64Prefix.init) { $0.message }),
    "Judge addresses such as those of 64:ff9b::/96 as the IPv4 addresses that this network's NAT64 reaches under them; may"
      + " be given again. Prefixes that the resolver tells (RFC 7050) are found by themselves, but only refuse"
  )

  static let network = [OptionSpec](
    userAgent, allowAddress, respectRobots, proxy, cacert, insecure, http1, nat64Prefix)

  /// How much is fetched at a time, and how far one attempt goes.
  static let pace = [OptionSpec](concurrency, threads, perHost, hostDelay, maxHops, timeout)

  /// Line ends would add headers of their own.
  private static func oneLine(_ text: String) throws(ValueProblem) -> String {
    guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      throw ValueProblem(words: "it holds a line end or another control character")
    }
    return text
  }

  private static func proxy(_ text: String) throws(ValueProblem) -> String {
    if let problem = PipelineOptions.problem(ofProxy: text) { throw ValueProblem(words: problem) }
    return text
  }
}

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

enum RequestOption {
  static let method = Option<FetchRequest.Method>(
    "--method METHOD", .requests, .findings,
    .choice([.get, .head], { $0.rawValue.lowercased() }, default: .get),
    "How to ask where no page is read: head is lighter, misses refreshes in pages, and asks once more with"
      + " get what refuses it")

  static let header = Option<[String]>(
    "--header TEXT", .requests, [.variable, .findings, .secret], .lines,
    "Send 'Name: value' to the link's own site, but not to those it redirects to, or the headers that @FILE lists, one"
      + " a line; may be given again"
  ).forHosts("headers", OwnHeaderText.kind)

  static let cookie = Option<[String]>(
    "--cookie TEXT", .requests, [.variable, .findings, .secret], .lines,
    "Send the cookie name=value, or those that @FILE lists, in the same way; may be given again")

  /// Belongs to the job, like `oembed`.
  static let language = Option<String?>(
    "--language LANGUAGES", .requests, .variable,
    .text(checking(parsing({ LanguageList.isOne($0) ? $0 : nil }, otherwise: LanguageList.complaint))),
    "Ask every server for these languages, as Accept-Language has them: de, or 'pt-BR, pt;q=0.8'. Else each site"
      + " chooses")

  /// Belongs to the job, not to the fetcher: a fleet does it for each job that asks.
  static let oembed = Option<Bool>(
    "--[no-]oembed", .requests, .variable, .flag,
    "Also ask the oEmbed endpoint that a page names, or that a public registry knows for it, for card.embed and what its"
      + " card lacks; the page counts without it too, and card.embed_error says what was wrong with it")
}

enum RecipeOption {
  static let param = Option<[String]>(
    "--param NAME=VALUE", .input, .repeated, "Set a parameter of the recipe; may be given again")

  static let output = Option<String?>(
    "-o, --output FILE", .output, .file, "Write it to FILE, which stays as it was until all is there")

  static let deadline = Option<Int64?>(
    "--deadline TIME", .limits, .variable, .integer(LinkOption.deadlines, as: .time),
    "Time limit for the whole run, including all its calls")

  static let html = Option<String?>(
    "--html FILE", .output, .file,
    "Write a page of what was gathered into this file as well: sections as grids, with their pictures")

  static let row = Option<Bool>(
    "--row", .output, .flag, "Print the run's whole row, with how each step ended")

  static let check = Option<Bool>("--check", .general, .flag, "Check the recipe without calling a server")

  static let list = Option<Bool>("--list", .general, .flag, "List the recipes that are built in")

  static let show = Option<Bool>("--show", .general, .flag, "Print the recipe as it is written")
}

/// Answers that are kept for later jobs.
enum CacheOption {
  private static let times: ClosedRange<Int64> = 0...CacheRule.longestMilliseconds

  static let cache = Option<Int64?>(
    "--cache TIME", .limits, [.variable, .fleets], .integer(times, as: .time),
    "Fetch no link again that was fetched less than TIME ago; its row has the earlier findings")

  static let failures = Option<Int64?>(
    "--cache-failures TIME", .limits, [.variable, .fleets],
    .integer(times, as: .time, default: "a tenth of --cache"),
    "The same time for links that failed permanently, or answered with 4xx or 5xx")

  static let file = Option<String?>(
    "--cache-file FILE", .limits, [.variable, .fleets], .file,
    "Store findings in FILE; else in the --ledger, or in ~/.cache/halyard/results.db")
}

/// The option of all commands that have settings.
enum ConfigOption {
  static let config = Option<String?>(
    "--config FILE", .general, [.variable, .subject], .text,
    "Take settings from FILE alone; else from the user's and the system's, see 'halyard config --help'")
}

enum DemoOption {
  static let serve = Option<Bool>(
    "--serve", .general, .flag, "Only serve the site, until interrupted; prints its address")

  static let port = Option<Int>(
    "--port N", .general, .integer(0...65_535, default: 0),
    "The port of 127.0.0.1 to serve on; 0 means one that is free")
}
