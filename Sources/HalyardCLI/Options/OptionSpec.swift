import Pipeline

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
  /// It says what its command is about, so no file of settings has it: a pause of everything, for example.
  static let subject = OptionMarks(rawValue: 64)
  /// It changes what is found behind a link, and so makes other rows of the same links; all fetchers of a fleet go by its
  /// aggregator's. Only waiting, politeness and the form of the output may differ without it.
  static let findings: OptionMarks = [.fleets, OptionMarks(rawValue: 4)]
  /// It may differ between the machines of a fleet.
  static let machines = OptionMarks(rawValue: 8)
  /// It may hold a password.
  static let secret = OptionMarks(rawValue: 16)
  /// A worker that reads its configuration again needs no restart for it.
  static let reread = OptionMarks(rawValue: 32)
}

/// An option, or several: what lists of options are made of.
protocol OptionRows: Sendable {
  var specs: [OptionSpec] { get }
}

protocol OptionRow: OptionRows {
  var spec: OptionSpec { get }
}

extension OptionRow {
  var specs: [OptionSpec] { [spec] }
}

extension [OptionSpec]: OptionRows {
  var specs: [OptionSpec] { self }

  init(_ rows: any OptionRows...) { self = rows.flatMap { $0.specs } }
}

/// One row of the option table: parsing, help, suggestions, man pages and completions all read it. Two are equal that are
/// spelled alike.
struct OptionSpec: OptionRow {
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
  /// Its name in the table of a host; nil when it counts for all hosts alike.
  var hostKey: String?
  /// How that table has it.
  var hostKind: OptionKind
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
    (self.group, self.marks, self.kind, hostKind) = (group, marks, kind, kind)
    (self.summary, self.defaultText) = (summary, defaultText)
  }

  var spec: OptionSpec { self }

  var flag: String { "--\(name)" }

  /// `--no-name`, for flags that have it.
  var negation: String? { isNegatable ? "--no-\(name)" : nil }

  /// The default, where it is a value and not a description.
  var fallback: OptionValue? {
    kind.takesValue ? defaultText.flatMap { try? kind.read($0) } : .flag(false)
  }

  /// `HALYARD_NAME`, when a variable can give the default.
  var variable: String? { marks.contains(.variable) ? variableName : nil }

  static let variablePrefix = "HALYARD_"

  /// How the table of a host has it, else all others.
  func key(for host: HostPattern?) -> String { (host == nil ? nil : hostKey) ?? name }

  /// The variable that it has or would have.
  var variableName: String {
    Self.variablePrefix + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
  }

  static let help = Option<Bool>("-h, --help", .general, .subject, .flag, "Show this help").spec
}

extension OptionSpec: Equatable {
  static func == (left: OptionSpec, right: OptionSpec) -> Bool {
    left.name == right.name && left.summary == right.summary
  }
}
