import Assembly
import Links
import Pipeline
import Roles

/// All settings that change what is found behind a link: whatever keeps findings or rows for later goes by them.
enum FindingSettings {
  /// An aggregator has all of them.
  static let options = CommandTable.aggregator.options.filter { $0.marks.contains(.findings) }

  /// What every run's name tells, in this order. Of others it tells only what is given, so that older names stay.
  private static let named = [OptionSpec](
    LinkOption.maxHops, LinkOption.maxPage, FleetOption.maxDocument, LinkOption.userAgent,
    LinkOption.allowAddress, LinkOption.respectRobots, RequestOption.method, RequestOption.header,
    RequestOption.cookie, LinkOption.proxy, LinkOption.cacert, LinkOption.insecure, LinkOption.http1)

  /// The same in every process. A hash, because some of these may be secrets.
  static func hash(_ arguments: ParsedArguments) -> UInt64 {
    let others = (options + [ServeOption.denied.spec]).filter {
      !named.contains($0) && arguments.value(of: $0)?.texts.isEmpty == false
    }
    let (page, document) = caps(arguments)
    var hash = StableHash()
    for option in named + others {
      switch option {
      case LinkOption.maxPage.spec: hash.add("caps", ["\(page)", "\(document)"])
      case FleetOption.maxDocument.spec: continue
      case RequestOption.method.spec: hash.add(option.name, [arguments[RequestOption.method].rawValue])
      default: hash.add(option.name, words(of: option, arguments))
      }
    }
    let hosts = arguments.hosts.finding.map { "\($0.hostName) \($0.said)" }.sorted()
    if !hosts.isEmpty { hash.add("config's [\(SettingsFile.hostsKey)]", hosts) }
    return hash.value
  }

  private static func words(of option: OptionSpec, _ arguments: ParsedArguments) -> [String] {
    let texts = (arguments.value(of: option) ?? option.fallback)?.texts ?? []
    // What a file holds, and not its name. One that cannot be read ends the command elsewhere.
    return option.kind.addsUp ? (try? ListFile.texts(of: option, arguments)) ?? texts : texts
  }

  /// Bytes of a page and of a document that are read; commands name them by different options.
  static func caps(_ arguments: ParsedArguments) -> (page: Int, document: Int) {
    if [CommandTable.decode, CommandTable.run].contains(arguments.command) {
      return (FetcherSettings().pageCapBytes, arguments[LinkOption.maxDocument])
    }
    return (arguments[LinkOption.maxPage], arguments[FleetOption.maxDocument])
  }
}

extension StableHash {
  /// Adds what an option says.
  mutating func add(_ name: String, _ values: [String]) {
    add(name)
    add(UInt64(values.count))
    for value in values { add(value) }
  }
}

/// An aggregator's fetch options, as it hands them to fetchers, and as these take them.
enum FleetFetchOptions {
  /// Stands for the settings of single hosts; no option has this name.
  private static let hosts = SettingsFile.hostsKey

  /// Those that may hold passwords.
  static let secrets = Set(
    FindingSettings.options.filter { $0.marks.contains(.secret) }.map(\.name) + [hosts])

  /// All that were given, the addresses, and the user agent, whose default depends on the version.
  static func handed(_ arguments: ParsedArguments) throws(UsageError) -> FetchOptions {
    var given: [FetchOptions.Given] = []
    for option in FindingSettings.options {
      var values = arguments.value(of: option).map(texts)
      // Files may be on this machine alone. Even no address is said, because that can change.
      if option == LinkOption.allowAddress.spec { values = try ListFile.texts(of: option, arguments) }
      if option == LinkOption.userAgent.spec { values = [arguments[LinkOption.userAgent]] }
      if let values { given.append(.init(name: option.name, values: values)) }
    }
    let named = arguments.hosts.finding.map(\.text)
    if !named.isEmpty { given.append(.init(name: hosts, values: named)) }
    return FetchOptions(given: given, hash: hash(given))
  }

  /// The same in every version, so that their hash tells whether a fleet's options have changed.
  private static func texts(of value: OptionValue) -> [String] {
    if let isOn: Bool = value.read() { return [isOn ? "1" : "0"] }
    if let number: Int = value.read() { return ["\(number)"] }
    return value.texts
  }

  /// The same options with other addresses, the one option that changes without a restart.
  static func allowing(_ addresses: [String], in options: FetchOptions) -> FetchOptions {
    var given = options.given
    for index in given.indices where given[index].name == LinkOption.allowAddress.name {
      given[index].values = addresses
    }
    return FetchOptions(given: given, hash: hash(given))
  }

  /// The arguments of a fetcher with the fleet's options, unless it was given its own of those that belong to its machine.
  static func taken(_ options: FetchOptions, by arguments: ParsedArguments) throws(UsageError)
    -> ParsedArguments
  {
    let own = CommandTable.machineOptions.filter { arguments.isSet($0) }.map(\.name)
    let missing = options.withheld.filter { !own.contains($0) }
    guard missing.isEmpty else {
      throw refusal(
        "\(missing.map { "--\($0)" }.joined(separator: ", ")) may hold secrets",
        next: "give all members a --key")
    }
    var result = arguments.having(FindingSettings.options)
    for given in options.given where !own.contains(given.name) {
      let option = FindingSettings.options.first { $0.name == given.name }
      guard option != nil || given.name == hosts else { throw unknown("--\(given.name)") }
      for text in given.values {
        if let option {
          do throws(ValueProblem) {
            result.set(option, to: try option.kind.read(text), from: .commandLine)
          } catch {
            throw refusal("\(option.flag): \(error.words)", next: "halyard status")
          }
        } else {
          guard let setting = Setting(text) else { throw unknown(hosts) }
          result.add(setting)
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
    var (addresses, others) = (StableHash(), StableHash())
    for option in given {
      if option.name == LinkOption.allowAddress.name {
        addresses.add(option.name, option.values)
      } else {
        others.add(option.name, option.values)
      }
    }
    return others.value << 32 | addresses.value & 0xFFFF_FFFF
  }
}
