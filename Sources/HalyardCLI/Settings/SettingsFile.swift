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
/// option; and settings for some hosts alone.
struct SettingsFile: Sendable {
  typealias Setting = (value: OptionValue, place: SettingPlace)

  let path: String
  /// By command, then by the option's name.
  private var settings: [String: [String: Setting]] = [:]
  private(set) var hosts: [HostSetting] = []

  /// - Parameter path: The name of the file for messages.
  init(parsing bytes: [UInt8], path: String) throws(UsageError) {
    self.path = path
    let table: TOMLTable
    do {
      table = try TOMLTable(parsing: bytes)
    } catch {
      throw .badSetting(SettingPlace(path, error.position), error.message)
    }
    let isCommand = { (member: TOMLTable.Member) in CommandTable.command(named: member.key) != nil }
    // What stands in a command's own table goes before what stands at the top, wherever that is.
    for member in table.members where isCommand(member) { try readCommand(member) }
    for member in table.members where !isCommand(member) {
      if member.key == Self.hostsKey { hosts = try hostSettings(in: member) } else { try readCommon(member) }
    }
  }

  subscript(command: String, option: String) -> Setting? { settings[command]?[option] }

  static func options(of command: CommandSpec) -> [OptionSpec] {
    command.options.filter { !$0.marks.contains(.subject) }
  }

  private mutating func readCommand(_ member: TOMLTable.Member) throws(UsageError) {
    guard let command = CommandTable.command(named: member.key) else { return }
    let options = Self.options(of: command)
    for setting in try members(
      of: member, "'\(member.key)' is a command: write [\(member.key)] above its settings")
    {
      guard let option = options.first(where: { $0.name == setting.key }) else {
        throw unknown(setting, known: options.map(\.name), where: " of \(command.name)")
      }
      settings[command.name, default: [:]][option.name] = try read(setting, option.kind)
    }
  }

  private mutating func readCommon(_ member: TOMLTable.Member) throws(UsageError) {
    var isKnown = false
    for command in CommandTable.commands {
      guard let option = Self.options(of: command).first(where: { $0.name == member.key }) else { continue }
      isKnown = true
      guard settings[command.name]?[option.name] == nil else { continue }
      settings[command.name, default: [:]][option.name] = try read(member, option.kind)
    }
    let names =
      [Self.hostsKey] + CommandTable.commands.map(\.name)
      + CommandTable.commands.flatMap(Self.options).map(\.name)
    if !isKnown { throw unknown(member, known: names, where: "") }
  }

  func read(_ member: TOMLTable.Member, _ kind: OptionKind) throws(UsageError) -> Setting {
    do {
      return (try kind.readSetting(member.value), SettingPlace(path, member.position))
    } catch {
      throw fault(error.position, "\(member.key): \(error.words)")
    }
  }

  /// - Parameter complaint: What is said of a member that is no table.
  func members(of member: TOMLTable.Member, _ complaint: String) throws(UsageError) -> [TOMLTable.Member] {
    guard case .table(let table) = member.value.content else { throw fault(member.value.position, complaint) }
    return table.members
  }

  func unknown(
    _ member: TOMLTable.Member, known: [String], where place: String
  ) -> UsageError {
    let hint = Suggestion.closest(to: member.key, among: known).map { " — did you mean '\($0)'?" } ?? ""
    return fault(member.position, "unknown setting '\(member.key)'\(place)\(hint)")
  }

  func fault(_ position: TOMLPosition, _ words: String) -> UsageError {
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
      return .list(
        try values.map { (value) throws(SettingProblem) in
          try read(Self.string(value), at: value.position)
        }.flatMap(\.texts))
    case (.fields, .table(let table)):
      return .list(
        try table.members.map { (member) throws(SettingProblem) in
          try read(Self.string(member.value), named: member.key, at: member.position)
        }.flatMap(\.texts))
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
