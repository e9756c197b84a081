internal import Posix
import Recipes
import Roles

/// Where rows go and what they look like, decided before anything is opened.
struct OutputPlan: Sendable {
  enum Target: Hashable, Sendable {
    case standardOutput
    case file(String)
    /// A database has no format: its table has typed columns.
    case database(String)

    /// Every file that rows are written to on their way.
    var paths: [String] {
      switch self {
      case .standardOutput: ["/dev/stdout"]
      case .file(let path), .database(let path): [path, PartFile.path(beside: path)]
      }
    }
  }

  private static let widthWithoutTerminal = 100
  /// Names of files that rows are not written as, and what stands for them.
  private static let otherFiles = [
    "xlsx": "csv", "xls": "csv", "ods": "csv", "numbers": "csv", "html": "jsonl", "htm": "jsonl",
    "parquet": "jsonl", "xml": "jsonl", "yaml": "jsonl", "yml": "jsonl", "md": "csv", "pdf": "csv",
    // The name that ledgers have.
    "db": "sqlite",
  ]

  private static let databases = ["sqlite", "sqlite3"]
  private static let formats: [String: OutputFormat] = ["csv": .csv, "tsv": .tsv]

  var target: Target
  /// A file for a page of previews beside the rows; nil for none.
  let page: Target?
  var format: OutputFormat
  /// The members the user asked for; nil for the format's own choice.
  var fields: [RowField]?
  /// The members that separated values and tables show when `fields` is nil, and the columns of the input behind them.
  var rowFields: [String]
  var kept: [String]
  /// Rows go to a terminal.
  var isScreen: Bool
  /// Whether nothing else writes where a line of progress stands: what reads a pipe may write to the same terminal, and
  /// only a table makes room for the line.
  var leavesRoomForProgress: Bool
  /// In columns of the screen.
  var width: Int
  var showsColour: Bool
  /// Only values are printed.
  let isRaw: Bool
  /// Whether rows that are ok are not printed.
  let onlyFailures: Bool
  /// Whether separated values hold no formulas for spreadsheets.
  var defusesFormulas = false
  /// Whether a table tells why rows failed where they have no room for it.
  var tellsWhy = true

  /// What a command's arguments say about its rows.
  ///
  /// - Parameter terminal: What standard output leads to; nil to ask.
  init(_ arguments: ParsedArguments, standardOutput terminal: TerminalTraits? = nil) throws(UsageError) {
    let standardOutput = terminal ?? arguments.terminal(1)
    let output = arguments[LinkOption.output].flatMap { $0 == "-" ? nil : $0 }
    let ending = output.flatMap(Self.ending) ?? ""
    let isDatabase = Self.databases.contains(ending)
    // The format belongs to text.
    if isDatabase {
      try arguments.refuse(
        [OptionSpec](LinkOption.format, LinkOption.raw),
        "rows become a table in \(Printable.quoted(output ?? "")); give text another name")
    }
    target = output.map { isDatabase ? .database($0) : .file($0) } ?? .standardOutput
    page = try Self.page(arguments, apartFrom: target)
    let usual = output == nil && standardOutput.isTerminal ? OutputFormat.table : .jsonl
    format = isDatabase ? .jsonl : arguments[LinkOption.format] ?? Self.formats[ending] ?? usual
    defusesFormulas = arguments[LinkOption.csvSafe]
    try arguments.require(
      !defusesFormulas || format == .csv || format == .tsv, of: LinkOption.csvSafe,
      "only csv and tsv have cells; add --format csv")
    if arguments[LinkOption.format] == nil, let output { try Self.check(file: output, arguments) }
    onlyFailures = arguments[SelectionOption.failuresOnly]
    isRaw = arguments[LinkOption.raw]
    if isRaw { format = try Self.rawFormat(arguments) }
    let names = arguments[LinkOption.fields]
    let wish = CSVColumns.Wish(keep: arguments[LinkOption.keep])
    kept = wish.keepsAll ? [] : wish.keep
    let carried = kept + arguments.command.rowFields.compactMap(RowField.keptColumn)
    for name in names where !(wish.keepsAll && RowField.keptColumn(name) != nil) {
      try Self.check(name, kept: carried, arguments)
    }
    fields = names.isEmpty ? nil : names.map { RowField($0) }
    rowFields = arguments.command.rowFields
    isScreen = output == nil && standardOutput.isTerminal
    leavesRoomForProgress = isScreen ? format == .table : output != nil || !standardOutput.isPipe
    width = (isScreen ? standardOutput.width : nil) ?? Self.widthWithoutTerminal
    showsColour = isScreen && standardOutput.showsColour
  }

  /// Where rows go. Only the first keeps them when a run breaks off.
  var targets: [Target] { [target, page].compactMap(\.self) }

  /// A file that remembers how far a batch was read into it; nil where rows cannot be added to those that are there.
  ///
  /// - Parameter lineage: Of the ledger: in another one, rows have other numbers.
  func remembering(_ copies: RowCopies, lineage: UInt64) throws(OutputError) -> ReplacingSink? {
    guard case .file(let path) = target, format != .table, !copies.isOrdered else { return nil }
    let names = fields?.map(\.name) ?? []
    let wish = "\(format) \(defusesFormulas) \(onlyFailures) \(copies.after) \(names) \(lineage)"
    return try ReplacingSink(path, reading: copies.batch, wish: wish)
  }

  /// Opens the targets; the first bytes are written by the first `flush`.
  ///
  /// - Parameters:
  ///   - sink: What stands for the target; nil to open it.
  ///   - goingOn: It has rows already.
  func open(_ sink: ReplacingSink? = nil, goingOn: Bool = false) throws(OutputError) -> [RowWriter] {
    if let sink { return [RowWriter(encoder, to: sink, goingOn: goingOn)] }
    var rows =
      switch target {
      case .standardOutput: RowWriter(encoder, to: DescriptorSink(content(else: .drawn)))
      case .file(let path): RowWriter(encoder, to: try ReplacingSink.opened(path, content(else: .text)))
      case .database(let path):
        RowWriter(WholeRowEncoder(), to: try DatabaseSink(path: path, columns: columns))
      }
    guard case .file(let path)? = page else { return [rows] }
    do throws(OutputError) {
      return [rows, RowWriter(PreviewEncoder(), to: try ReplacingSink.opened(path, .text))]
    } catch {
      _ = rows.breakOff(keepingRows: false)
      throw error
    }
  }

  private func content(else other: ScreenContent) -> ScreenContent {
    isRaw ? .text : format == .jsonl ? .json : other
  }

  private func delimited(_ style: DelimitedEncoder.Style) -> DelimitedEncoder {
    DelimitedEncoder(
      style: style, columns: columns, isScreen: isScreen, defusesFormulas: defusesFormulas)
  }

  /// What separated values and databases show. Kept columns stand at the end under their own names, unless a member has that
  /// name already.
  var columns: [RowColumn] {
    if let fields { return fields.map { RowColumn(heading: $0.name, field: $0) } }
    return rowFields.map { RowColumn(heading: RowField.keptColumn($0) ?? $0, field: RowField($0)) }
      + kept.map { name in
        let field = RowField("kept.\(name)")
        return RowColumn(heading: rowFields.contains(name) ? field.name : name, field: field)
      }
  }

  var encoder: any RowEncoder {
    switch format {
    case .jsonl:
      if isRaw { return RawValueEncoder() }
      if let fields { return SelectedMembersEncoder(fields: fields) }
      return WholeRowEncoder()
    case .csv:
      return delimited(.commas)
    case .tsv:
      return delimited(.tabs)
    case .table:
      let shown =
        fields == nil ? TableColumn.defaults(for: columns, width: width) : columns.map { TableColumn($0) }
      return TableEncoder(shown, width: width, showsColour: showsColour, tellsWhy: tellsWhy)
    }
  }

  private static func ending(of path: String) -> String? {
    path.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last?.lowercased()
  }

  /// The ending of a name under which nobody looks for JSON; nil for others.
  static func endingOfOthers(_ path: String) -> String? {
    guard let ending = ending(of: path),
      otherFiles[ending] != nil || formats[ending] != nil || databases.contains(ending)
    else { return nil }
    return ending
  }

  /// What is named like a document of another program would not open there.
  private static func check(file: String, _ arguments: ParsedArguments) throws(UsageError) {
    guard let ending = ending(of: file), let nearest = otherFiles[ending] else { return }
    let name = ShellWord.quoted("\(file.dropLast(ending.count))\(nearest)")
    throw UsageError(
      "option '--output': rows are not written as .\(Printable.text(ending))"
        + (nearest == "csv" ? "; spreadsheets open .csv" : ""),
      usage: arguments.command.usage, next: "halyard \(arguments.command.name) -o \(name)")
  }

  private static func page(_ arguments: ParsedArguments, apartFrom rows: Target) throws(UsageError) -> Target?
  {
    guard let path = arguments[LinkOption.html] else { return nil }
    try arguments.require(
      !rows.paths.contains(path), of: LinkOption.html, "the rows would go into this file too")
    return .file(path)
  }

  private static func rawFormat(_ arguments: ParsedArguments) throws(UsageError) -> OutputFormat {
    try arguments.refuse(
      [OptionSpec](LinkOption.format, LinkOption.fields, LinkOption.csvSafe, SelectionOption.failuresOnly),
      "--raw prints values, and no rows")
    return .jsonl
  }

  private static func check(
    _ name: String, kept: [String], _ arguments: ParsedArguments
  ) throws(UsageError) {
    if let column = RowField.keptColumn(name) {
      guard !kept.contains(column) else { return }
      throw arguments.rejection(of: LinkOption.fields, "'\(name)' needs --keep \(column)")
    }
    guard !RowField.canExist(name) else { return }
    let near = Suggestion.nearest(3, to: name, among: RowField.members)
    throw arguments.rejection(
      of: LinkOption.fields,
      "rows have no member '\(name)'; the nearest are \(near.joined(separator: ", "));"
        + " a row in full, without --fields, shows all that it has")
  }
}
