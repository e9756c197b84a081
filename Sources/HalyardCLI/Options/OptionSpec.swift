/// The headings under which help lists options, in this order.
enum OptionGroup: String, CaseIterable, Sendable {
  case input = "Input"
  case output = "Output"
  case fleet = "Fleet"
  case requests = "Requests"
  case limits = "Limits and politeness"
  case general = "General"
}

/// One row of the option table: parsing, help, suggestions, man pages and completions all read it.
struct OptionSpec: Hashable, Sendable {
  /// Without the leading dashes.
  var name: String
  var short: Character?
  var kind: OptionKind
  /// What stands for the value in help, such as `FILE`; empty for a flag.
  var placeholder: String
  var summary: String
  /// The default as help shows it; nil when there is none worth showing.
  var defaultText: String?
  var group: OptionGroup
  /// Whether a `HALYARD_*` variable can give the default.
  var fromEnvironment: Bool

  /// `--name`.
  var flag: String { "--\(name)" }

  /// `--no-name`, for flags that have it.
  var negation: String? { kind == .flag(negatable: true) ? "--no-\(name)" : nil }

  /// `HALYARD_NAME`, when a variable can give the default.
  var variable: String? {
    fromEnvironment ? variableName : nil
  }

  static let variablePrefix = "HALYARD_"

  /// The variable that it has or would have.
  var variableName: String {
    Self.variablePrefix + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
  }

  static let config = ConfigOption.config.spec

  static let help = OptionSpec(
    name: "help", short: "h", kind: .flag(negatable: false), placeholder: "", summary: "Show this help",
    defaultText: nil, group: .general, fromEnvironment: false)
}
