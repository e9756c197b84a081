import Links
import Pipeline
import Roles

/// All settings that change what is found behind a link: whatever keeps findings or rows for later goes by them.
enum FindingSettings {
  /// An aggregator has all of them.
  static let options = CommandTable.aggregator.options.filter { $0.marks.contains(.findings) }

  /// The same in every process. A hash, because some of these may be secrets.
  static func hash(_ arguments: ParsedArguments) -> UInt64 {
    var hash = StableHash()
    for option in hashed {
      switch option {
      case LinkOption.maxPage.spec:
        let (page, document) = caps(arguments)
        hash.add("caps", ["\(page)", "\(document)"])
      case RequestOption.method.spec: hash.add(option.name, [arguments[RequestOption.method].rawValue])
      default: hash.add(option.name, words(of: option, arguments))
      }
    }
    // Runs are older than what follows: where nothing is said, their names stay.
    let prefixes = words(of: LinkOption.nat64Prefix.spec, arguments)
    if !prefixes.isEmpty { hash.add(LinkOption.nat64Prefix.name, prefixes) }
    let hosts = arguments.hosts.finding.map { "\($0.host) \($0.said)" }.sorted()
    if !hosts.isEmpty { hash.add("config's [\(SettingsFile.hostsKey)]", hosts) }
    return hash.value
  }

  /// In the order that is a part of every run's name; the cap of documents goes with that of pages.
  private static let hashed: [OptionSpec] = {
    let (requests, others) = (
      options.filter { $0.group == .requests }, options.filter { $0.group != .requests }
    )
    let (network, own) = (
      others.filter(LinkOption.network.contains), others.filter { !LinkOption.network.contains($0) }
    )
    let apart = [OptionSpec](FleetOption.maxDocument, LinkOption.nat64Prefix)
    return (own + requests + network).filter { !apart.contains($0) }
  }()

  private static func words(of option: OptionSpec, _ arguments: ParsedArguments) -> [String] {
    switch arguments.value(of: option) ?? option.fallback {
    case .flag(let isOn): ["\(isOn)"]
    // What a file holds, and not its name. One that cannot be read ends the command elsewhere.
    case .list(let texts): (try? ListFile.texts(of: option, arguments)) ?? texts
    case let value: value?.texts ?? []
    }
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
