internal import Links
internal import Posix

/// Where the jobs come from and how they are written, decided before anything is opened.
package struct InputPlan: Hashable, Sendable {
  enum Source: Hashable, Sendable {
    /// Links on the command line; there is no other source beside them.
    case arguments([String])
    case standardInput
    case file(String)

    /// The source's name in messages.
    var name: String {
      switch self {
      case .arguments: "arguments"
      case .standardInput: InputPlan.standardInputName
      case .file(let path): path
      }
    }

    var path: String? {
      if case .file(let path) = self { path } else { nil }
    }
  }

  static let standardInputName = "standard input"

  /// One or more, read one after the other.
  var sources: [Source]
  /// `auto` where each source's name or first line must tell.
  var format: InputFormat = .auto
  var columns = CSVColumns.Wish()
  /// What stands between the cells of a table; nil where its first line must tell.
  var delimiter: UInt8?
  /// What relative links of documents start from.
  var base: WebURL?
  /// What a source is whose name and the options do not tell.
  private var unnamed = InputFormat.auto

  package init(format: InputFormat) {
    self.init([.standardInput], format: format)
  }

  init(
    _ sources: [Source], format: InputFormat = .auto, columns: CSVColumns.Wish = CSVColumns.Wish(),
    delimiter: UInt8? = nil, base: WebURL? = nil
  ) {
    (self.sources, self.format, self.columns, self.delimiter) = (sources, format, columns, delimiter)
    self.base = base
  }

  /// The links of the command line; nil for other input.
  var arguments: [String]? {
    if case .arguments(let links) = sources.first { links } else { nil }
  }

  /// The input's name in messages.
  var name: String { sources.map(\.name).joined(separator: ", ") }

  /// How messages name a place of the input: `argument 3`, `line 3`, or with several sources `line 3 of links.txt`.
  func place(line: Int, source: Int) -> String {
    if arguments != nil { return "argument \(line)" }
    return InputContext(source: sources.count > 1 ? sources[source].name : nil).place(line: line)
  }

  /// The format of a source as far as options and its name tell.
  func format(of source: Source) -> InputFormat {
    if format != .auto { return format }
    if case .file(let path) = source {
      let named = InputFormat(ofFile: path)
      if named != .auto { return named }
    }
    return asksForTable ? .csv : unnamed
  }

  fileprivate var asksForTable: Bool { columns.link != nil || !columns.keep.isEmpty || delimiter != nil }
}

extension InputPlan {
  /// What a link command's arguments say about the input; without any links, what is piped into standard input.
  init(_ arguments: ParsedArguments, standardInputIsTerminal: Bool = isTerminal(0)) throws(UsageError) {
    try self.init(
      arguments, from: Self.sources(arguments, standardInputIsTerminal: standardInputIsTerminal))
  }

  /// What the arguments of a command say that are files.
  init(files arguments: ParsedArguments) throws(UsageError) {
    let files = arguments.operands
    try arguments.require(!files.contains(""), "the file's name is empty")
    try arguments.require(files.count { $0 == "-" } <= 1, "standard input can be read only once")
    try self.init(arguments, from: Self.sources(files), unnamed: .text)
  }

  private init(
    _ arguments: ParsedArguments, from sources: [Source], unnamed: InputFormat = .auto
  ) throws(UsageError) {
    self.init(
      sources, format: arguments[LinkOption.inputFormat],
      columns: CSVColumns.Wish(link: arguments[LinkOption.column], keep: arguments[LinkOption.keep]),
      delimiter: arguments[LinkOption.delimiter], base: arguments[LinkOption.baseURL])
    self.unnamed = unnamed
    if self.arguments != nil {
      let words = "only for input from a file or '-', and the links are arguments"
      try refuseTableOptions(arguments, words)
      try arguments.require(format == .auto, of: LinkOption.inputFormat, words)
    }
    try arguments.require(
      base == nil || sources.contains { format(of: $0).hasRelativeLinks }, of: LinkOption.baseURL,
      "only for Markdown and HTML, and \(form(of: sources[0]))")
    for source in sources where !format(of: source).isTable {
      try refuseTableOptions(arguments, "only for CSV and TSV, and \(form(of: source))")
    }
  }

  private func form(of source: Source) -> String {
    arguments == nil
      ? "\(source.name) is read as \(format(of: source).rawValue)" : "the links are arguments"
  }

  private static func sources(_ names: [String]) -> [Source] {
    names.map { $0 == "-" ? .standardInput : .file($0) }
  }

  private static func sources(
    _ arguments: ParsedArguments, standardInputIsTerminal: Bool
  ) throws(UsageError) -> [Source] {
    let links = arguments.operands
    let inputs = arguments[LinkOption.input]
    try arguments.require(
      links.isEmpty || inputs.isEmpty, "links are given both as arguments and with --input")
    try arguments.require(
      links.count < 2 || !links.contains("-"),
      "'-' stands for standard input and cannot be mixed with links")
    try arguments.require(
      inputs.count { $0 == "-" } <= 1, of: LinkOption.input, "standard input can be read only once")
    if !inputs.isEmpty { return sources(inputs) }
    if links == ["-"] { return [.standardInput] }
    guard links.isEmpty else { return [.arguments(links)] }
    guard !standardInputIsTerminal else {
      throw UsageError(
        "no links given", usage: arguments.command.usage,
        next: "halyard \(arguments.command.name) https://example.org/")
    }
    return [.standardInput]
  }

  private func refuseTableOptions(_ arguments: ParsedArguments, _ words: String) throws(UsageError) {
    try arguments.require(columns.link == nil, of: LinkOption.column, words)
    try arguments.require(columns.keep.isEmpty, of: LinkOption.keep, words)
    try arguments.require(delimiter == nil, of: LinkOption.delimiter, words)
  }

  /// Refuses arguments that are files: `notes.md` is no link, and would be looked up as the name of a host.
  ///
  /// - Parameter isFile: Whether there is a regular file at a path.
  func refuseFiles(
    _ command: CommandSpec, isFile: (String) -> Bool = { (try? FileFacts(at: $0))??.kind == .regular }
  ) throws(UsageError) {
    for link in arguments ?? [] where !link.contains("://") && isFile(link) {
      throw UsageError(
        "\(Printable.quoted(link)) is a file, and links are expected here", usage: command.usage,
        next: "halyard \(command.name) --input \(ShellWord.quoted(link))")
    }
  }
}

package enum InputFormat: String, CaseIterable, Sendable {
  /// By the file's name, the other options, and the first line.
  case auto
  case lines
  case csv
  case tsv
  case jsonl
  /// A sitemap or a feed.
  case xml
  case markdown
  case html
  /// Running text, whose links are found.
  case text

  /// Whether it has columns.
  var isTable: Bool { self == .csv || self == .tsv }

  /// Whether its links may be relative.
  var hasRelativeLinks: Bool { self == .markdown || self == .html }

  /// By the name's ending, a `.gz` behind it aside.
  init(ofFile path: String) {
    var name = path.lowercased()
    if name.hasSuffix(".gz") { name.removeLast(3) }
    self =
      switch name.split(separator: ".").last {
      case _ where !name.contains("."): .auto
      case "csv": .csv
      case "tsv": .tsv
      case "jsonl", "ndjson": .jsonl
      case "xml", "rss", "atom": .xml
      case "md", "markdown": .markdown
      case "html", "htm", "xhtml": .html
      default: .auto
      }
  }
}

/// An input that cannot be read any further; jobs before the fault were delivered.
package struct InputError: Error, Hashable, Sendable {
  /// The file's path, or `standard input`.
  var source: String
  var problem: String

  init(_ source: String, _ problem: String) {
    self.source = source
    self.problem = problem
  }

  /// What goes to standard error, with its newline.
  var rendered: String { "halyard: \(Printable.text(source)): \(Printable.text(problem))\n" }
}
