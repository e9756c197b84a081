import Pipeline
import TOML

/// A setting for one host, or for all sub-domains of one: an option with a narrower scope.
struct HostSetting: Sendable {
  let host: HostPattern
  let option: OptionSpec
  /// In the form that the table of a host has.
  let value: OptionValue
  let place: SettingPlace

  /// All that there are; an aggregator has each of them.
  static let options = CommandTable.aggregator.options.filter { $0.hostKey != nil }

  var key: String { option.hostKey ?? option.name }

  /// What it says of the host; each value is on a line of its own.
  var said: String { ([key] + value.texts).joined(separator: "\n") }

  /// All of it but where it stands, as fetchers of a fleet get it.
  var text: String { "\(host)\n\(said)" }

  /// Its value, if it is one of the option.
  func value<Value>(of option: Option<Value>) -> Value? {
    option.spec == self.option ? option.read(value) : nil
  }
}

extension HostSetting {
  /// nil if the text is not such a setting.
  init?(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard lines.count >= 2, let host = try? HostPattern(named: lines[0]),
      let option = Self.options.first(where: { $0.hostKey == lines[1] }),
      let values = try? lines.dropFirst(2).map({ try option.hostKind.read($0) }),
      let value = option.hostKind.form == .text ? values.first : .list(values.flatMap { $0.list ?? [] })
    else { return nil }
    (self.host, self.option, self.value) = (host, option, value)
    place = SettingPlace("the fleet's options", TOMLPosition(line: 1, column: 1))
  }
}

extension [HostSetting] {
  /// Those that change what is found; a pace does not.
  var finding: [HostSetting] { filter { $0.option.marks.contains(.findings) } }

  /// Takes a setting, unless there is one already.
  mutating func add(_ setting: HostSetting) {
    if !contains(where: { $0.host == setting.host && $0.option == setting.option }) { append(setting) }
  }
}
