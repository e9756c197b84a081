import Assembly
import Links
import Pipeline
import Roles

/// All settings that change what is found behind a link, and so make other rows of the same links. Only waiting,
/// politeness and the form of the output may differ.
///
/// The one list of them: whatever keeps findings or rows for later goes by it.
enum FindingSettings {
  /// The same in every process. A hash, because some of these may be secrets.
  static func hash(_ arguments: ParsedArguments) -> UInt64 {
    var hash = StableHash()
    for (name, named) in texts(arguments) {
      // What a file holds, and not its name. One that cannot be read ends the command elsewhere.
      let option = filed.first { $0.name == name }
      let values = option.flatMap { try? ListFile.texts(of: $0, arguments) } ?? named
      hash.add(name)
      hash.add(UInt64(values.count))
      for value in values { hash.add(value) }
    }
    return hash.value
  }

  /// Options that can name files of their texts.
  private static let filed = [LinkOption.allowAddress, RequestOption.header, RequestOption.cookie]
  /// The options of an aggregator that are among them.
  static let specs = [OptionSpec](
    RequestOption.method, RequestOption.header, RequestOption.cookie, LinkOption.maxHops, LinkOption.maxPage,
    FleetOption.maxDocument,
    LinkOption.userAgent, LinkOption.allowAddress, LinkOption.respectRobots, LinkOption.network)

  private static func texts(_ arguments: ParsedArguments) -> [(name: String, values: [String])] {
    let (page, document) = caps(arguments)
    let hosts = hosts(arguments)
    let nat64 = arguments.value(of: LinkOption.nat64Prefix.spec)?.list ?? []
    return [
      ("max-hops", ["\(arguments[LinkOption.maxHops])"]),
      ("caps", ["\(page)", "\(document)"]),
      ("user-agent", [arguments[LinkOption.userAgent]]),
      ("allow-address", arguments[LinkOption.allowAddress]),
      ("respect-robots", ["\(arguments[LinkOption.respectRobots])"]),
      ("method", [arguments[RequestOption.method].rawValue]),
      ("header", arguments[RequestOption.header]),
      ("cookie", arguments[RequestOption.cookie]),
      ("proxy", arguments[LinkOption.proxy].map { [$0] } ?? []),
      ("cacert", arguments[LinkOption.cacert].map { [$0] } ?? []),
      ("insecure", ["\(arguments[LinkOption.insecure])"]),
      ("http1", ["\(arguments[LinkOption.http1])"]),
    ] + (nat64.isEmpty ? [] : [(LinkOption.nat64Prefix.name, nat64)])
      + (hosts.isEmpty ? [] : [("config's [\(SettingsFile.hostsKey)]", hosts)])
  }

  /// Settings for single hosts, sorted.
  private static func hosts(_ arguments: ParsedArguments) -> [String] {
    arguments.hosts.compactMap { setting in
      setting.requests.map { (["\(setting.host) \(setting.key.rawValue)"] + $0).joined(separator: "\n") }
    }.sorted()
  }

  /// Bytes of a page and of a document that are read; commands name them by different options.
  static func caps(_ arguments: ParsedArguments) -> (page: Int, document: Int) {
    if [CommandTable.decode, CommandTable.run].contains(arguments.command) {
      return (FetcherSettings().pageCapBytes, arguments[LinkOption.maxDocument])
    }
    return (arguments[LinkOption.maxPage], arguments[FleetOption.maxDocument])
  }
}
