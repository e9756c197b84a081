import JSONQuery
import Posix
import Recipes

/// The command `config`: what each option is worth, and why.
struct ConfigCommand {
  private let commands: [CommandSpec]
  private let printsJSON: Bool
  private let values: [(command: CommandSpec, arguments: ParsedArguments)]

  init(
    _ arguments: ParsedArguments, environment: [String: String], settings: SettingsSource
  ) throws(UsageError) {
    printsJSON = arguments[FleetOption.json]
    if let name = arguments.operands.first {
      commands = [try Invocation.command(named: name, words: ["config", name])]
    } else {
      commands = CommandTable.commands
    }
    var values: [(CommandSpec, ParsedArguments)] = []
    for command in commands {
      values.append(
        (
          command,
          try ArgumentParser.defaults(of: command, environment, settings, arguments[ConfigOption.config])
        ))
    }
    self.values = values
  }

  func run() throws -> ExitCode {
    var text = ""
    var lines: [UInt8] = []
    for (command, arguments) in values {
      let settings = SettingsFile.options(of: command).map { ShownSetting($0, arguments) }
      if settings.isEmpty { continue }
      text += "\(text.isEmpty ? "" : "\n")[\(command.name)]\n"
      text += settings.map { "\($0.line)\n" }.joined()
      for setting in settings { lines += setting.json(command.name) }
    }
    let tables = ShownHosts(values.map(\.arguments))
    text += tables.text
    lines += tables.json
    try DescriptorSink(printsJSON ? .json : .text).write(printsJSON ? lines : Array(text.utf8))
    return .ok
  }
}

/// One option with its value, as a line of TOML or of JSON.
struct ShownSetting {
  private let option: OptionSpec
  /// nil when nothing stands for the option.
  private let value: OptionValue?
  private let origin: ParsedArguments.Origin?

  init(_ option: OptionSpec, _ arguments: ParsedArguments) {
    self.option = option
    origin = arguments.origin(of: option)
    value = arguments.value(of: option) ?? Self.fallback(option)
  }

  /// The default, where it is a value and not a description.
  private static func fallback(_ option: OptionSpec) -> OptionValue? {
    if case .flag = option.kind { return .flag(false) }
    return option.defaultText.flatMap { try? option.kind.read($0) }
  }

  var line: String {
    guard let value else {
      return "# \(option.name)  # \(option.defaultText.map { "default: \($0)" } ?? "not set")"
    }
    return "\(option.name) = \(Self.text(value, option.kind))  # \(place)"
  }

  private var place: String {
    switch origin {
    case .commandLine: option.flag
    case .environment: option.variable ?? option.flag
    case .file(let place): Self.text(place)
    case nil: "default"
    }
  }

  static func text(_ place: SettingPlace) -> String { Printable.text("\(place.file):\(place.line)") }

  /// As TOML has it.
  static func text(_ value: OptionValue, _ kind: OptionKind) -> String {
    switch value {
    case .flag(let isOn): return "\(isOn)"
    case .text(let text): return quoted(text)
    case .list(let texts): return "[\(texts.map(quoted).joined(separator: ", "))]"
    case .number(let number):
      if case .integer = kind { return "\(number)" }
      if case .integerOrNever = kind { return "\(number)" }
      return quoted(written(number, kind))
    }
  }

  private static func written(_ number: Int64, _ kind: OptionKind) -> String {
    switch kind {
    case .duration: Quantity.duration(number)
    case .byteSize: Quantity.byteSize(number)
    case .percent: "\(number)%"
    case .flag, .text, .names, .repeated, .lines, .integer, .integerOrNever, .choice, .selector,
      .requirements:
      "\(number)"
    }
  }

  static func quoted(_ text: String) -> String {
    let inner = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": return "\\\(scalar)"
      case "\u{20}"..."\u{7E}", "\u{A0}"...: return String(scalar)
      default:
        let digits = String(scalar.value, radix: 16)
        return "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)"
      }
    }
    return "\"\(inner.joined())\""
  }

  func json(_ command: String) -> [UInt8] {
    var line = JSONWriter(reservingCapacity: 120)
    line.beginObject()
    line.member("command", command)
    line.member("name", option.name)
    line.key("value")
    Self.write(value, option.kind, to: &line)
    line.key("from")
    switch origin {
    case .commandLine: line.string("command line")
    case .environment: line.string("environment")
    case .file: line.string("file")
    case nil: line.string("default")
    }
    if case .file(let place) = origin { Self.write(place, to: &line) }
    line.endObject()
    line.endLine()
    return line.bytes
  }

  static func write(_ place: SettingPlace, to line: inout JSONWriter) {
    line.member("file", place.file)
    line.member("line", place.line)
    line.member("column", place.column)
  }

  static func write(_ value: OptionValue?, _ kind: OptionKind, to line: inout JSONWriter) {
    switch value {
    case nil: line.null()
    case .flag(let isOn): line.bool(isOn)
    case .text(let text): line.string(text)
    case .number(let number):
      if case .integer = kind { return line.int(number) }
      if case .integerOrNever = kind { return line.int(number) }
      line.string(written(number, kind))
    case .list(let texts):
      line.beginArray()
      for text in texts { line.string(text) }
      line.endArray()
    }
  }
}
