import JSONQuery
import Posix
import Recipes

/// The command `config`: what each option is worth, and why.
struct ConfigCommand {
  private let printsJSON: Bool
  private let values: [(command: CommandSpec, arguments: ParsedArguments)]

  init(
    _ arguments: ParsedArguments, environment: [String: String], settings: SettingsSource
  ) throws(UsageError) {
    printsJSON = arguments[FleetOption.json]
    var commands = CommandTable.commands
    if let name = arguments.operands.first {
      commands = [try Invocation.command(named: name, words: ["config", name])]
    }
    let file = arguments[ConfigOption.config]
    values = try commands.map { (command) throws(UsageError) in
      (command, try ArgumentParser.defaults(of: command, environment, settings, file))
    }
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
    if option.kind.form == .flag { return .flag(false) }
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
    case .number(let number): return kind.shows.map { quoted($0(number)) } ?? "\(number)"
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
    let from =
      switch origin {
      case .commandLine: ("command line", nil)
      case .environment: ("environment", nil)
      case .file(let place): ("file", place)
      case nil: ("default", nil)
      } as (String, SettingPlace?)
    return Self.json(of: ("command", command), option.name, value, option.kind, from: from)
  }

  /// - Parameter owner: What the setting is for, with the name of its member.
  static func json(
    of owner: (String, String), _ name: String, _ value: OptionValue?, _ kind: OptionKind,
    from source: (name: String, place: SettingPlace?)
  ) -> [UInt8] {
    JSONWriter.line { line in
      line.member(owner.0, owner.1)
      line.member("name", name)
      line.key("value")
      write(value, kind, to: &line)
      line.member("from", source.name)
      if let place = source.place {
        line.member("file", place.file)
        line.member("line", place.line)
        line.member("column", place.column)
      }
    }
  }

  private static func write(_ value: OptionValue?, _ kind: OptionKind, to line: inout JSONWriter) {
    switch value {
    case nil: line.null()
    case .flag(let isOn): line.bool(isOn)
    case .text(let text): line.string(text)
    case .number(let number):
      if let shows = kind.shows { line.string(shows(number)) } else { line.int(number) }
    case .list(let texts):
      line.beginArray()
      for text in texts { line.string(text) }
      line.endArray()
    }
  }
}
