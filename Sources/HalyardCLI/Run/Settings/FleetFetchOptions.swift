import Assembly
import Links
import Pipeline
import TOML

/// An aggregator's fetch options, as it hands them to fetchers, and as these take them.
enum FleetFetchOptions {
  /// Stands for the settings of single hosts; no option has this name.
  private static let hosts = SettingsFile.hostsKey

  /// Those that may hold passwords.
  static let secrets: Set = [
    RequestOption.header.name, RequestOption.cookie.name, LinkOption.proxy.name, hosts,
  ]

  /// All that were given, the addresses, and the user agent, whose default depends on the version.
  static func handed(_ arguments: ParsedArguments) throws(UsageError) -> FetchOptions {
    var given: [FetchOptions.Given] = []
    for option in FindingSettings.specs {
      if option == LinkOption.allowAddress.spec {
        // Files may be on this machine alone. Even none is said, because that can change.
        given.append(.init(name: option.name, values: try AllowedAddresses.texts(arguments)))
      } else if option == LinkOption.userAgent.spec {
        given.append(.init(name: option.name, values: [arguments[LinkOption.userAgent]]))
      } else if let value = arguments.value(of: option) {
        given.append(.init(name: option.name, values: value.texts))
      }
    }
    let named = arguments.hosts.compactMap(words)
    if !named.isEmpty { given.append(.init(name: hosts, values: named)) }
    return FetchOptions(given: given, hash: hash(given))
  }

  /// The same options with other addresses, the one option that changes without a restart.
  static func allowing(_ addresses: [String], in options: FetchOptions) -> FetchOptions {
    var options = options
    for index in options.given.indices where options.given[index].name == LinkOption.allowAddress.name {
      options.given[index].values = addresses
    }
    options.hash = hash(options.given)
    return options
  }

  /// The arguments of a fetcher with the fleet's options, unless it was given its own of those that belong to its machine.
  static func taken(_ options: FetchOptions, by arguments: ParsedArguments) throws(UsageError)
    -> ParsedArguments
  {
    func isOwn(_ name: String) -> Bool {
      CommandTable.machineOptions.contains { $0.name == name && arguments.isSet($0) }
    }
    let missing = options.withheld.filter { !isOwn($0) }
    guard missing.isEmpty else {
      throw refusal(
        "\(missing.map { "--\($0)" }.joined(separator: ", ")) may hold secrets",
        next: "give all members a --key")
    }
    var result = arguments.having(FindingSettings.specs)
    for given in options.given where !isOwn(given.name) {
      if given.name == hosts {
        for text in given.values {
          guard let setting = HostSetting(handed: text) else { throw unknown(hosts) }
          result.add(setting)
        }
      } else {
        guard let option = FindingSettings.specs.first(where: { $0.name == given.name }) else {
          throw unknown("--\(given.name)")
        }
        for text in given.values {
          do throws(ValueProblem) {
            result.set(option, to: try option.kind.read(text), from: .commandLine)
          } catch {
            throw refusal("\(option.flag): \(error.words)", next: "halyard status")
          }
        }
      }
    }
    return result
  }

  private static func unknown(_ name: String) -> UsageError {
    refusal("this version does not know \(name)", next: "install the version of the aggregator")
  }

  private static func refusal(_ words: String, next: String) -> UsageError {
    UsageError(
      rendered: "halyard: cannot take the fleet's options: \(Printable.text(words))\ntry:   \(next)\n")
  }

  private static func hash(_ given: [FetchOptions.Given]) -> UInt64 {
    func hash(_ given: [FetchOptions.Given]) -> UInt64 {
      var hash = StableHash()
      for option in given {
        hash.add(option.name)
        hash.add(UInt64(option.values.count))
        for value in option.values { hash.add(value) }
      }
      return hash.value
    }
    let addresses = given.filter { $0.name == LinkOption.allowAddress.name }
    let others = given.filter { $0.name != LinkOption.allowAddress.name }
    return hash(others) << 32 | hash(addresses) & 0xFFFF_FFFF
  }

  /// A host, what is set for it, and the values, each on a line; nil for what changes no findings.
  private static func words(_ setting: HostSetting) -> String? {
    setting.requests.map { (["\(setting.host)", setting.key.rawValue] + $0).joined(separator: "\n") }
  }
}

extension HostSetting {
  fileprivate init?(handed text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard lines.count >= 2, let key = Key(rawValue: lines[1]) else { return nil }
    let values = Array(lines.dropFirst(2))
    switch key {
    case .userAgent:
      guard values.count == 1 else { return nil }
      value = .text(values[0])
    case .headers: value = .list(values)
    case .perHost, .delay: return nil
    }
    let covers = lines[0].hasPrefix("*.")
    host = HostPattern(covers ? String(lines[0].dropFirst(2)) : lines[0], coversSubdomains: covers)
    self.key = key
    place = SettingPlace("the fleet's options", TOMLPosition(line: 1, column: 1))
  }
}

extension OptionValue {
  /// As `OptionKind.read` takes them.
  fileprivate var texts: [String] {
    switch self {
    case .flag(let isOn): [isOn ? "1" : "0"]
    case .text(let text): [text]
    case .list(let texts): texts
    case .number(let number): ["\(number)"]
    }
  }
}
