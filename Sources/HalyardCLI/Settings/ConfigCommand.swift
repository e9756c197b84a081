import JSONQuery
import Pipeline
import Recipes

/// The command `config`: what each option is worth, and why.
enum ConfigCommand {
  static func run(_ arguments: ParsedArguments) throws -> ExitCode {
    var commands = CommandTable.commands
    if let name = arguments.operands.first {
      commands = [try Invocation.command(named: name, words: ["config", name])]
    }
    let (environment, file) = (arguments.environment, arguments[ConfigOption.config])
    let values = try commands.map {
      try ArgumentParser.defaults(of: $0, environment, .defaultFiles(environment), file)
    }
    let tables = values.compactMap { ShownTable($0) } + ShownTable.hosts(values)
    return try arguments.show(
      json: tables.flatMap(\.json), text: tables.map(\.text).joined(separator: "\n"))
  }
}

/// One option with its value, as a line of TOML or of JSON.
struct ShownSetting {
  private let option: OptionSpec
  private let name: String
  /// nil when nothing stands for the option.
  private let value: OptionValue?
  private let origin: Setting.Origin?

  /// - Parameter setting: nil when the default counts.
  init(_ option: OptionSpec, _ setting: Setting?) {
    (self.option, name) = (option, setting?.key ?? option.name)
    (value, origin) = (setting?.value ?? option.fallback, setting?.origin)
  }

  var line: String {
    guard let value else {
      return "# \(name)  # \(option.defaultText.map { "default: \($0)" } ?? "not set")"
    }
    let texts = value.texts.map { isBare($0) ? $0 : Self.quoted($0) }.joined(separator: ", ")
    return "\(name) = \(isList ? "[\(texts)]" : texts)  # \(place)"
  }

  private var place: String {
    switch origin {
    case .commandLine: option.flag
    case .environment: option.variable ?? option.flag
    case .file(let place): Printable.text("\(place.file):\(place.line)")
    case nil: "default"
    }
  }

  private var isList: Bool { option.kind.form == .list }

  private func isBare(_ text: String) -> Bool { option.kind.isBare && text != OptionKind.never }

  fileprivate static func quoted(_ text: String) -> String {
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

  /// - Parameter owner: What the setting is for, with the name of its member.
  func json(of owner: (member: String, name: String)) -> [UInt8] {
    JSONWriter.line { line in
      line.member(owner.member, owner.name)
      line.member("name", name)
      line.key("value")
      write(to: &line)
      switch origin {
      case .commandLine: line.member("from", "command line")
      case .environment: line.member("from", "environment")
      case .file(let place):
        line.member("from", "file")
        line.member("file", place.file)
        line.member("line", place.line)
        line.member("column", place.column)
      case nil: line.member("from", "default")
      }
    }
  }

  private func write(to line: inout JSONWriter) {
    guard let value else { return line.null() }
    if isList { line.beginArray() }
    for text in value.texts {
      if !isBare(text) {
        line.string(text)
      } else if let number = Int64(text) {
        line.int(number)
      } else {
        line.bool(text == "true")
      }
    }
    if isList { line.endArray() }
  }
}

/// All settings of a command or of a host, as a table of TOML or as lines of JSON.
struct ShownTable {
  private let title: String
  private let owner: (member: String, name: String)
  private let settings: [ShownSetting]

  /// nil for a command that has no settings.
  init?(_ arguments: ParsedArguments) {
    let command = arguments.command
    settings = SettingsFile.options(of: command).map { ShownSetting($0, arguments.setting(of: $0)) }
    (title, owner) = (command.name, ("command", command.name))
    if settings.isEmpty { return nil }
  }

  private init(_ host: HostPattern, _ settings: [Setting]) {
    title = "\(SettingsFile.hostsKey).\(ShownSetting.quoted(host.description))"
    owner = ("host", host.description)
    self.settings = settings.filter { $0.host == host }.map { ShownSetting($0.option, $0) }
  }

  /// Those of the hosts for which any of the commands has settings.
  static func hosts(_ commands: [ParsedArguments]) -> [ShownTable] {
    var settings: [Setting] = []
    for setting in commands.flatMap(\.hosts) { settings.add(setting) }
    var hosts: [HostPattern] = []
    for host in settings.compactMap(\.host) where !hosts.contains(host) { hosts.append(host) }
    return hosts.map { ShownTable($0, settings) }
  }

  var text: String { "[\(title)]\n\(settings.map { "\($0.line)\n" }.joined())" }

  var json: [UInt8] { settings.flatMap { $0.json(of: owner) } }
}
