import Pipeline

/// The settings for some hosts alone, as tables of TOML or as lines of JSON.
struct ShownHosts {
  /// Those of a host together.
  private var tables: [(host: HostPattern, settings: [HostSetting])] = []

  /// The settings that any of the commands uses.
  init(_ commands: [ParsedArguments]) {
    for setting in commands.flatMap(\.hosts) {
      guard let index = tables.firstIndex(where: { $0.host == setting.host }) else {
        tables.append((setting.host, [setting]))
        continue
      }
      if !tables[index].settings.contains(setting) { tables[index].settings.append(setting) }
    }
  }

  var text: String {
    tables.map { host, settings in
      let lines = settings.map { setting in
        let value = ShownSetting.text(setting.value, setting.key.option.kind)
        return "\(setting.key.rawValue) = \(value)  # \(ShownSetting.text(setting.place))\n"
      }
      return "\n[\(SettingsFile.hostsKey).\(ShownSetting.quoted(host.description))]\n\(lines.joined())"
    }.joined()
  }

  var json: [UInt8] {
    tables.flatMap { host, settings in
      settings.flatMap { setting in
        ShownSetting.json(
          of: ("host", host.description), setting.key.rawValue, setting.value, setting.key.option.kind,
          from: ("file", setting.place))
      }
    }
  }
}
