import JSONQuery
import Pipeline
import Recipes

/// One option with its value, as a line of TOML or of JSON.
struct ShownSetting {
  private let option: OptionSpec
  private let name: String
  /// nil when nothing stands for the option.
  private let value: OptionValue?
  private let origin: ParsedArguments.Origin?

  init(_ option: OptionSpec, _ arguments: ParsedArguments) {
    (self.option, name) = (option, option.name)
    origin = arguments.origin(of: option)
    value = arguments.value(of: option) ?? option.fallback
  }

  init(_ setting: HostSetting) {
    (option, name) = (setting.option, setting.key)
    (value, origin) = (setting.value, .file(setting.place))
  }

  var line: String {
    guard let value else {
      return "# \(name)  # \(option.defaultText.map { "default: \($0)" } ?? "not set")"
    }
    return "\(name) = \(text(value))  # \(place)"
  }

  private var place: String {
    switch origin {
    case .commandLine: option.flag
    case .environment: option.variable ?? option.flag
    case .file(let place): Printable.text("\(place.file):\(place.line)")
    case nil: "default"
    }
  }

  private func text(_ value: OptionValue) -> String {
    switch value {
    case .flag(let isOn): "\(isOn)"
    case .text(let text): Self.quoted(text)
    case .list(let texts): "[\(texts.map(Self.quoted).joined(separator: ", "))]"
    case .number(let number): option.kind.shows.map { Self.quoted($0(number)) } ?? "\(number)"
    }
  }

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
    switch value {
    case nil: line.null()
    case .flag(let isOn): line.bool(isOn)
    case .text(let text): line.string(text)
    case .number(let number):
      if let shows = option.kind.shows { line.string(shows(number)) } else { line.int(number) }
    case .list(let texts):
      line.beginArray()
      for text in texts { line.string(text) }
      line.endArray()
    }
  }
}

/// All settings of a command or of a host, as a table of TOML or as lines of JSON.
struct ShownTable {
  private let title: String
  private let owner: (member: String, name: String)
  private let settings: [ShownSetting]

  /// nil for a command that has no settings.
  init?(_ command: CommandSpec, _ arguments: ParsedArguments) {
    settings = SettingsFile.options(of: command).map { ShownSetting($0, arguments) }
    (title, owner) = (command.name, ("command", command.name))
    if settings.isEmpty { return nil }
  }

  private init(_ host: HostPattern, _ settings: [HostSetting]) {
    title = "\(SettingsFile.hostsKey).\(ShownSetting.quoted(host.description))"
    owner = ("host", host.description)
    self.settings = settings.filter { $0.host == host }.map { ShownSetting($0) }
  }

  /// Those of the hosts for which any of the commands has settings.
  static func hosts(_ commands: [ParsedArguments]) -> [ShownTable] {
    var settings: [HostSetting] = []
    for setting in commands.flatMap(\.hosts) { settings.add(setting) }
    var hosts: [HostPattern] = []
    for setting in settings where !hosts.contains(setting.host) { hosts.append(setting.host) }
    return hosts.map { ShownTable($0, settings) }
  }

  var text: String { "[\(title)]\n\(settings.map { "\($0.line)\n" }.joined())" }

  var json: [UInt8] { settings.flatMap { $0.json(of: owner) } }
}
