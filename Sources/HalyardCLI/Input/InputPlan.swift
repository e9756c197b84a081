/// Where the jobs come from and how they are written, decided before anything is opened.
struct InputPlan: Hashable, Sendable {
  enum Origin: Hashable, Sendable {
    case arguments([String])
    case standardInput
    case file(String)
  }

  static let standardInputName = "standard input"

  var origin: Origin
  /// `auto` only where the first bytes must tell.
  var format: InputFormat = .auto
  var columns = CSVColumns.Wish()

  /// How many jobs there are, when that is known before reading them.
  var knownTotal: Int? {
    if case .arguments(let links) = origin { links.count } else { nil }
  }

  var isArguments: Bool {
    if case .arguments = origin { true } else { false }
  }

  /// The input's name in messages.
  var name: String {
    switch origin {
    case .arguments: "arguments"
    case .standardInput: Self.standardInputName
    case .file(let path): path
    }
  }
}

extension InputPlan {
  /// What a link command's arguments say about the input; without any links, what is piped into standard input.
  init(_ arguments: ParsedArguments, standardInputIsTerminal: Bool) throws(UsageError) {
    origin = try Self.origin(arguments, standardInputIsTerminal: standardInputIsTerminal)
    columns = CSVColumns.Wish(link: arguments[LinkOption.column], keep: arguments[LinkOption.keep])
    format = arguments[LinkOption.inputFormat]
    if case .arguments = origin {
      try refuseFileOptions(arguments)
    } else {
      try settleFormat(arguments)
    }
  }

  private static func origin(
    _ arguments: ParsedArguments, standardInputIsTerminal: Bool
  ) throws(UsageError) -> Origin {
    let links = arguments.operands
    let input = arguments[LinkOption.input]
    if !links.isEmpty, input != nil {
      throw UsageError("links are given both as arguments and with --input", command: arguments.command)
    }
    if links.contains("-"), links.count > 1 {
      throw UsageError(
        "'-' stands for standard input and cannot be mixed with links", command: arguments.command)
    }
    if input == "" { throw arguments.rejection(of: LinkOption.input, "the file's name is empty") }
    if let input { return input == "-" ? .standardInput : .file(input) }
    if links == ["-"] { return .standardInput }
    guard links.isEmpty else { return .arguments(links) }
    guard !standardInputIsTerminal else {
      throw UsageError(
        "no links given", usage: arguments.command.usage,
        next: "halyard \(arguments.command.name) https://example.org/")
    }
    return .standardInput
  }

  private func refuseFileOptions(_ arguments: ParsedArguments) throws(UsageError) {
    let words = "only for input from a file or '-', and the links are arguments"
    if columns.link != nil { throw arguments.rejection(of: LinkOption.column, words) }
    if !columns.keep.isEmpty { throw arguments.rejection(of: LinkOption.keep, words) }
    if format != .auto { throw arguments.rejection(of: LinkOption.inputFormat, words) }
  }

  /// Settles `auto` where the file's name or an option tells, and refuses column names for what is no CSV.
  private mutating func settleFormat(_ arguments: ParsedArguments) throws(UsageError) {
    let hasColumns = columns.link != nil || !columns.keep.isEmpty
    if format == .auto, case .file(let path) = origin { format = Self.format(ofFile: path) }
    if format == .auto, hasColumns { format = .csv }
    guard hasColumns, format != .csv else { return }
    let words = "only for CSV, and \(name) is read as \(format.rawValue)"
    if columns.link != nil { throw arguments.rejection(of: LinkOption.column, words) }
    throw arguments.rejection(of: LinkOption.keep, words)
  }

  /// By the name's ending, a `.gz` behind it aside.
  static func format(ofFile path: String) -> InputFormat {
    var name = path.lowercased()
    if name.hasSuffix(".gz") { name.removeLast(3) }
    if name.hasSuffix(".csv") { return .csv }
    return name.hasSuffix(".jsonl") || name.hasSuffix(".ndjson") ? .jsonl : .auto
  }
}
