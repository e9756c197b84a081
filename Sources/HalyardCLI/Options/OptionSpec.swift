/// The headings under which help lists options, in this order.
enum OptionGroup: String, CaseIterable, Sendable {
  case input = "Input"
  case output = "Output"
  case fleet = "Fleet"
  case requests = "Requests"
  case limits = "Limits and politeness"
  case general = "General"
}

/// What else there is to know about an option.
struct OptionMarks: OptionSet, Sendable {
  let rawValue: Int

  /// A `HALYARD_*` variable can give the default.
  static let variable = OptionMarks(rawValue: 1)
  /// It is set when a fleet is started: a command with --fleet refuses it.
  static let fleets = OptionMarks(rawValue: 2)
}

/// An option, or several: what lists of options are made of.
protocol OptionRows: Sendable {
  var specs: [OptionSpec] { get }
}

extension [OptionSpec]: OptionRows {
  var specs: [OptionSpec] { self }

  init(_ rows: any OptionRows...) { self = rows.flatMap { $0.specs } }
}

/// One row of the option table: parsing, help, suggestions, man pages and completions all read it. Two are equal that are
/// spelled alike.
struct OptionSpec: OptionRows {
  /// Without the leading dashes.
  let name: String
  let short: Character?
  let kind: OptionKind
  /// What stands for the value in help, such as `FILE`; empty for a flag.
  let placeholder: String
  let summary: String
  /// The default as help shows it; nil when there is none worth showing.
  let defaultText: String?
  let group: OptionGroup
  let marks: OptionMarks
  private let isNegatable: Bool

  /// - Parameter spelling: Such as `-o, --output FILE`; a flag that can be undone is spelled `--[no-]quiet`.
  init(
    _ spelling: String, _ group: OptionGroup, _ marks: OptionMarks, _ kind: OptionKind, _ summary: String,
    default defaultText: String?
  ) {
    let words = spelling.split(separator: " ").map(String.init)
    let flag = words.firstIndex { $0.hasPrefix("--") } ?? 0
    short = flag == 0 ? nil : words[0].dropFirst().first
    isNegatable = words[flag].hasPrefix("--[no-]")
    name = String(words[flag].dropFirst(isNegatable ? 7 : 2))
    placeholder = words[(flag + 1)...].joined(separator: " ")
    (self.group, self.marks, self.kind) = (group, marks, kind)
    (self.summary, self.defaultText) = (summary, defaultText)
  }

  var specs: [OptionSpec] { [self] }

  /// `--name`.
  var flag: String { "--\(name)" }

  /// `--no-name`, for flags that have it.
  var negation: String? { isNegatable ? "--no-\(name)" : nil }

  /// `HALYARD_NAME`, when a variable can give the default.
  var variable: String? { marks.contains(.variable) ? variableName : nil }

  static let variablePrefix = "HALYARD_"

  /// The variable that it has or would have.
  var variableName: String {
    Self.variablePrefix + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
  }

  static let help = Option<Bool>("-h, --help", .general, .flag, "Show this help").spec
}

extension OptionSpec: Equatable {
  static func == (left: OptionSpec, right: OptionSpec) -> Bool {
    left.name == right.name && left.summary == right.summary
  }
}
