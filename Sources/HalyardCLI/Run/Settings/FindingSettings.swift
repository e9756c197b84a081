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
