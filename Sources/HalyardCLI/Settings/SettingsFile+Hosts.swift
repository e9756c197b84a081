import Links
import Pipeline
import TOML

/// The tables `[hosts."NAME"]`.
extension SettingsFile {
  static let hostsKey = "hosts"

  func hostSettings(in member: TOMLTable.Member) throws(UsageError) -> [HostSetting] {
    var settings: [HostSetting] = []
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
      settings += try read(entry, for: host)
    }
    return settings
  }

  private func read(_ entry: TOMLTable.Member, for host: HostPattern) throws(UsageError) -> [HostSetting] {
    let title = "\(Self.hostsKey).\"\(entry.key)\""
    let settings = try members(of: entry, "'\(entry.key)' is a host: write [\(title)] above its settings")
    return try settings.map { (setting) throws(UsageError) in
      guard let option = HostSetting.options.first(where: { $0.hostKey == setting.key }) else {
        if case .table = setting.value.content {
          throw fault(
            setting.position, "unknown setting '\(setting.key)' of \(title); names with dots need quotes")
        }
        throw unknown(setting, known: HostSetting.options.compactMap(\.hostKey), where: " of \(title)")
      }
      let read = try read(setting, option.hostKind)
      return HostSetting(host: host, option: option, value: read.value, place: read.place)
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
