internal import Posix
import Recipes

/// Where rows go and what they look like, decided before anything is opened.
struct OutputPlan: Sendable {
  enum Target: Hashable, Sendable {
    case standardOutput
    case file(String)

    /// Every file that rows are written to on their way.
    var paths: [String] {
      switch self {
      case .standardOutput: ["/dev/stdout"]
      case .file(let path): [path, PartFile.path(beside: path)]
      }
    }
  }

  private static let widthWithoutTerminal = 100

  var target: Target
  var format: OutputFormat
  /// The members the user asked for; nil for the format's own choice.
  var fields: [RowField]?
  /// The columns that separated values and tables show when `fields` is nil.
  var defaultColumns: [RowColumn]
  /// Rows go to a terminal.
  var isScreen: Bool
  /// In columns of the screen.
  var width: Int
  var showsColour: Bool
  /// Whether separated values hold no formulas for spreadsheets.
  var defusesFormulas = false
  /// Whether a table tells why rows failed where they have no room for it.
  var tellsWhy = true

  /// What a command's arguments say about its rows, and what standard output leads to.
  init(_ arguments: ParsedArguments, standardOutput: TerminalTraits) throws(UsageError) {
    let output = arguments[LinkOption.output].flatMap { $0 == "-" ? nil : $0 }
    if output == "" { throw arguments.rejection(of: LinkOption.output, "the file's name is empty") }
    target = output.map { .file($0) } ?? .standardOutput
    format =
      arguments[LinkOption.format] ?? output.map(Self.format(ofFile:))
      ?? (standardOutput.isTerminal ? .table : .jsonl)
    defusesFormulas = arguments[LinkOption.csvSafe]
    if defusesFormulas, format != .csv, format != .tsv {
      throw arguments.rejection(of: LinkOption.csvSafe, "only csv and tsv have cells; add --format csv")
    }
    let names = arguments[LinkOption.fields]
    let kept = arguments[LinkOption.keep]
    let carried = kept + arguments.command.rowFields.compactMap(RowField.keptColumn)
    for name in names { try Self.check(name, kept: carried, arguments) }
    fields = names.isEmpty ? nil : names.map { RowField($0) }
    defaultColumns = Self.defaultColumns(arguments.command.rowFields, kept: kept)
    isScreen = output == nil && standardOutput.isTerminal
    width = (isScreen ? standardOutput.width : nil) ?? Self.widthWithoutTerminal
    showsColour = isScreen && standardOutput.showsColour
  }

  /// Opens the target; the first bytes are written by the first `flush`.
  func open() throws(OutputError) -> RowWriter {
    switch target {
    case .standardOutput: RowWriter(encoder, to: DescriptorSink(format == .jsonl ? .json : .drawn))
    case .file(let path):
      RowWriter(encoder, to: try ReplacingSink.opened(path, format == .jsonl ? .json : .text))
    }
  }

  private func delimited(_ style: DelimitedEncoder.Style, _ columns: [RowColumn]?) -> DelimitedEncoder {
    DelimitedEncoder(
      style: style, columns: columns ?? defaultColumns, isScreen: isScreen, defusesFormulas: defusesFormulas)
  }

  var encoder: any RowEncoder {
    let columns = fields?.map { RowColumn(heading: $0.name, field: $0) }
    switch format {
    case .jsonl:
      if let fields { return SelectedMembersEncoder(fields: fields) }
      return WholeRowEncoder()
    case .csv:
      return delimited(.commas, columns)
    case .tsv:
      return delimited(.tabs, columns)
    case .table:
      let shown = columns?.map { TableColumn($0) } ?? TableColumn.defaults(for: defaultColumns, width: width)
      return TableEncoder(shown, width: width, showsColour: showsColour, tellsWhy: tellsWhy)
    }
  }
}

extension OutputPlan {
  private static func format(ofFile path: String) -> OutputFormat {
    let name = path.lowercased()
    if name.hasSuffix(".csv") { return .csv }
    return name.hasSuffix(".tsv") ? .tsv : .jsonl
  }

  /// Kept columns stand at the end under their own names, unless a member has that name already.
  private static func defaultColumns(_ members: [String], kept: [String]) -> [RowColumn] {
    members.map { RowColumn(heading: RowField.keptColumn($0) ?? $0, field: RowField($0)) }
      + kept.map { name in
        let field = RowField("kept.\(name)")
        return RowColumn(heading: members.contains(name) ? field.name : name, field: field)
      }
  }

  private static func check(
    _ name: String, kept: [String], _ arguments: ParsedArguments
  ) throws(UsageError) {
    if let column = RowField.keptColumn(name) {
      guard !kept.contains(column) else { return }
      throw arguments.rejection(of: LinkOption.fields, "'\(name)' needs --keep \(column)")
    }
    guard !RowField.members.contains(name) else { return }
    let hint = Suggestion.closest(to: name, among: RowField.members).map { " — did you mean '\($0)'?" } ?? ";"
    let known = RowField.members.joined(separator: ", ")
    throw arguments.rejection(
      of: LinkOption.fields, "rows have no member '\(name)'\(hint) they can have \(known), kept.NAME")
  }
}
