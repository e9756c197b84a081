import Pipeline
import Recipes
import TOML

struct SettingPlace: Hashable, Sendable, CustomStringConvertible {
  var file: String
  var line: Int
  var column: Int

  init(_ file: String, _ position: TOMLPosition) {
    (self.file, line, column) = (file, position.line, position.column)
  }

  /// `FILE:LINE:COLUMN`, as compilers write it.
  var description: String { "\(file):\(line):\(column)" }
}

/// Defaults of options, read from a TOML file: a table for each command, and at the top for all commands that have the
/// option; and tables `[hosts."NAME"]` for some hosts alone.
struct SettingsFile: Sendable {
  static let hostsKey = "hosts"

  private let path: String
  /// By command.
  private var settings: [String: [Setting]] = [:]
  private var hosts: [Setting] = []

  /// - Parameter path: The name of the file for messages.
  init(parsing bytes: [UInt8], path: String) throws(UsageError) {
    self.path = path
    let table: TOMLTable
    do {
      table = try TOMLTable(parsing: bytes)
    } catch {
      throw .badSetting(SettingPlace(path, error.position), error.message)
    }
    // What stands in a command's own table goes before what stands at the top, wherever that is.
    for member in table.members {
      guard let command = CommandTable.command(named: member.key) else { continue }
      let options = Self.options(of: command)
      settings[command.name] = try read(member, titled: command.name, is: "command", options)
    }
    for member in table.members where CommandTable.command(named: member.key) == nil {
      if member.key == Self.hostsKey { try readHosts(member) } else { try readCommon(member) }
    }
  }

  /// What it has for a command, and for hosts.
  func settings(of command: CommandSpec) -> [Setting] { (settings[command.name] ?? []) + hosts }

  static func options(of command: CommandSpec) -> [OptionSpec] {
    command.options.filter { !$0.marks.contains(.subject) }
  }

  private mutating func readCommon(_ member: TOMLTable.Member) throws(UsageError) {
    var isKnown = false
    for command in CommandTable.commands {
      guard let option = Self.options(of: command).first(where: { $0.name == member.key }) else { continue }
      isKnown = true
      if settings[command.name]?.contains(where: { $0.option == option }) == true { continue }
      settings[command.name, default: []].append(try read(member, option))
    }
    let names =
      [Self.hostsKey] + CommandTable.commands.map(\.name)
      + CommandTable.commands.flatMap(Self.options).map(\.name)
    if !isKnown { throw unknown(member, known: names, where: "") }
  }

  private mutating func readHosts(_ member: TOMLTable.Member) throws(UsageError) {
    var lines: [HostPattern: Int] = [:]
    for entry in try members(of: member, "write [\(Self.hostsKey).\"NAME\"] above the settings of a host") {
      let host: HostPattern
      do {
        host = try HostPattern(named: entry.key)
      } catch {
        throw fault(entry.position, error.words)
      }
      if let line = lines.updateValue(entry.position.line, forKey: host) {
        throw fault(entry.position, "'\(host)' is there already, in line \(line)")
      }
      let title = "\(Self.hostsKey).\"\(entry.key)\""
      hosts += try read(entry, titled: title, is: "host", Setting.hostOptions, for: host)
    }
  }

  /// All settings of a table.
  private func read(
    _ entry: TOMLTable.Member, titled title: String, is noun: String, _ options: [OptionSpec],
    for host: HostPattern? = nil
  ) throws(UsageError) -> [Setting] {
    let complaint = "'\(entry.key)' is a \(noun): write [\(title)] above its settings"
    return try members(of: entry, complaint).map { (member) throws(UsageError) in
      if let option = options.first(where: { $0.key(for: host) == member.key }) {
        return try read(member, option, for: host)
      }
      if host != nil, case .table = member.value.content {
        throw fault(
          member.position, "unknown setting '\(member.key)' of \(title); names with dots need quotes")
      }
      throw unknown(member, known: options.map { $0.key(for: host) }, where: " of \(title)")
    }
  }

  private func read(
    _ member: TOMLTable.Member, _ option: OptionSpec, for host: HostPattern? = nil
  ) throws(UsageError) -> Setting {
    do {
      let value = try (host == nil ? option.kind : option.hostKind).readSetting(member.value)
      let place = SettingPlace(path, member.position)
      return Setting(option: option, value: value, origin: .file(place), host: host)
    } catch {
      throw fault(error.position, "\(member.key): \(error.words)")
    }
  }

  /// - Parameter complaint: What is said of a member that is no table.
  private func members(
    of member: TOMLTable.Member, _ complaint: String
  ) throws(UsageError) -> [TOMLTable.Member] {
    guard case .table(let table) = member.value.content else { throw fault(member.value.position, complaint) }
    return table.members
  }

  private func unknown(
    _ member: TOMLTable.Member, known: [String], where place: String
  ) -> UsageError {
    let hint = Suggestion.closest(to: member.key, among: known).map { " — did you mean '\($0)'?" } ?? ""
    return fault(member.position, "unknown setting '\(member.key)'\(place)\(hint)")
  }

  private func fault(_ position: TOMLPosition, _ words: String) -> UsageError {
    .badSetting(SettingPlace(path, position), words)
  }
}

/// Why a value of a file is none of an option's kind, and where it stands.
struct SettingProblem: Error, Hashable, Sendable {
  var position: TOMLPosition
  var words: String
}

extension OptionKind {
  /// Reads the value as it stands in a file.
  func readSetting(_ value: TOMLValue) throws(SettingProblem) -> OptionValue {
    switch (form, value.content) {
    case (.flag, .boolean(let isOn)): return .flag(isOn)
    case (.list, .array(let values)), (.fields, .array(let values)):
      return OptionValue(
        try values.map { (value) throws(SettingProblem) in
          try read(Self.string(value), at: value.position)
        })
    case (.fields, .table(let table)):
      return OptionValue(
        try table.members.map { (member) throws(SettingProblem) in
          try read(Self.string(member.value), named: member.key, at: member.position)
        })
    case (.integer, .integer(let number)), (.quantity, .integer(let number)), (.time, .integer(let number)):
      return try read("\(number)", at: value.position)
    case (.time, .float(let number)): return try read("\(number)", at: value.position)
    case (.text, .string(let text)), (.list, .string(let text)), (.quantity, .string(let text)),
      (.time, .string(let text)):
      return try read(text, at: value.position)
    case (_, _): throw Self.wrongType(value, form.rawValue)
    }
  }

  private func read(
    _ text: String, named name: String? = nil, at position: TOMLPosition
  ) throws(SettingProblem) -> OptionValue {
    do {
      if let name, let readMember { return try readMember(name, text) }
      return try read(text)
    } catch {
      throw SettingProblem(position: position, words: error.words)
    }
  }

  private static func string(_ value: TOMLValue) throws(SettingProblem) -> String {
    guard case .string(let text) = value.content else { throw wrongType(value, Form.text.rawValue) }
    return text
  }

  private static func wrongType(_ value: TOMLValue, _ expected: String) -> SettingProblem {
    SettingProblem(position: value.position, words: "expected \(expected), not \(value.kind)")
  }
}
