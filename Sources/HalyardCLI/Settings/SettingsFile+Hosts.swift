import Links
import Pipeline
import TOML

/// The tables `[hosts."NAME"]`.
extension SettingsFile {
  static let hostsKey = "hosts"

  func hostSettings(in member: TOMLTable.Member) throws(UsageError) -> [HostSetting] {
    guard case .table(let table) = member.value.content else {
      throw fault(member.value.position, "write [\(Self.hostsKey).\"NAME\"] above the settings of a host")
    }
    var settings: [HostSetting] = []
    var lines: [HostPattern: Int] = [:]
    for entry in table.members {
      let host: HostPattern
      do {
        host = try HostPattern(named: entry.key)
      } catch {
        throw fault(entry.position, error.words)
      }
      if let line = lines.updateValue(entry.position.line, forKey: host) {
        throw fault(entry.position, "'\(host)' is there already, in line \(line)")
      }
      settings += try read(entry, for: host)
    }
    return settings
  }

  private func read(_ entry: TOMLTable.Member, for host: HostPattern) throws(UsageError) -> [HostSetting] {
    let title = "\(Self.hostsKey).\"\(entry.key)\""
    guard case .table(let table) = entry.value.content else {
      throw fault(entry.value.position, "'\(entry.key)' is a host: write [\(title)] above its settings")
    }
    var settings: [HostSetting] = []
    for member in table.members {
      guard let key = HostSetting.Key(rawValue: member.key) else {
        if case .table = member.value.content {
          throw fault(
            member.position, "unknown setting '\(member.key)' of \(title); names with dots need quotes")
        }
        throw unknown(member, known: HostSetting.Key.allCases.map(\.rawValue), where: " of \(title)")
      }
      do {
        let value = try Self.value(of: key, member.value)
        settings.append(
          HostSetting(host: host, key: key, value: value, place: SettingPlace(path, member.position)))
      } catch {
        throw fault(error.position, "\(key.rawValue): \(error.words)")
      }
    }
    return settings
  }

  private static func value(
    of key: HostSetting.Key, _ value: TOMLValue
  ) throws(SettingProblem) -> OptionValue {
    guard key == .headers else { return try key.option.kind.readSetting(value) }
    return .list(try headers(value).map { "\($0.name): \($0.value)" })
  }

  private static func headers(_ value: TOMLValue) throws(SettingProblem) -> [HeaderField] {
    switch value.content {
    case .table(let table):
      return try table.members.map { (member) throws(SettingProblem) in
        let text = try OptionKind.string(member.value)
        return try checked(at: member.position) { () throws(ValueProblem) in
          try OwnHeaderText.header(member.key, text)
        }
      }
    case .array(let values):
      return try values.map { (value) throws(SettingProblem) in
        let text = try OptionKind.string(value)
        return try checked(at: value.position) { () throws(ValueProblem) in try OwnHeaderText.header(text) }
      }
    case .string, .integer, .float, .boolean:
      throw OptionKind.wrongType(value, "a table or an array of strings")
    }
  }

  private static func checked(
    at position: TOMLPosition, _ read: () throws(ValueProblem) -> HeaderField
  ) throws(SettingProblem) -> HeaderField {
    do {
      return try read()
    } catch {
      throw SettingProblem(position: position, words: error.words)
    }
  }
}

extension HostPattern {
  private static let wildcard = "*."

  /// Reads `t.co`, `bücher.example`, `10.0.0.1`, `[::1]` or `*.example.com`.
  init(named text: String) throws(ValueProblem) {
    let coversSubdomains = text.hasPrefix(Self.wildcard)
    let name = coversSubdomains ? String(text.dropFirst(Self.wildcard.count)) : text
    func problem(_ words: String) -> ValueProblem {
      ValueProblem(words: "\(Printable.quoted(text)) is not the name of a host\(words)")
    }
    guard !text.contains("://") else { throw problem(": leave the scheme out") }
    guard !name.contains("*") else {
      throw problem(": '*' only stands in front of a dot, for all sub-domains")
    }
    guard name.hasSuffix("]") || !name.contains(":") else {
      throw problem(": leave the port out, the settings are for all ports")
    }
    let hasEmptyLabel = name.hasPrefix(".") || name.contains("..")
    guard !hasEmptyLabel, !name.contains(where: { "/?#@\\%".contains($0) || $0.isWhitespace }),
      let url = try? WebURL("http://\(name)/")
    else { throw problem("") }
    if coversSubdomains, case .address = url.host { throw problem(": an address has no sub-domains") }
    self.init(url.host.description, coversSubdomains: coversSubdomains)
  }
}
