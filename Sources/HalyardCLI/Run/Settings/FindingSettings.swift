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
      let option = filed.first { $0.spec.name == name }
      let values = option.flatMap { try? ListFile.texts(of: $0, arguments) } ?? named
      hash.add(name)
      hash.add(UInt64(values.count))
      for value in values { hash.add(value) }
    }
    return hash.value
  }

  /// Each by the name of its option, for comparing those of one process with another's: of a secret only the hash, and of
  /// a file of texts only the name, because what it holds may change while they run.
  static func options(_ arguments: ParsedArguments) -> [FindingOption] {
    texts(arguments).map { name, values in
      // Every version counts its own default as this one, so that versions which differ in no more work together.
      let isDefault = name == LinkOption.userAgent.spec.name && !arguments.isSet(LinkOption.userAgent.spec)
      let values = isDefault ? ["halyard/0.1.0"] : values
      var hash = StableHash()
      hash.add(UInt64(values.count))
      for value in values { hash.add(value) }
      return FindingOption(name: name == "caps" ? capNames : name, hash: hash.value)
    }
  }

  /// The first setting of a worker that differs from another's, and both values unless they may be secrets.
  static func difference(
    of one: ParsedArguments, from other: ParsedArguments
  ) -> (name: String, values: (String, String)?)? {
    func shown(_ values: [String]) -> String { values.isEmpty ? "not set" : values.joined(separator: ", ") }
    for (one, other) in zip(texts(one), texts(other)) where one.values != other.values {
      let name = one.name == "caps" ? capNames : one.name
      return (name, secrets.contains(name) ? nil : (shown(one.values), shown(other.values)))
    }
    return nil
  }

  private static let secrets: Set = ["header", "cookie", "proxy"]
  private static let allowName = LinkOption.allowAddress.spec.name
  /// Options that can name files of their texts.
  private static let filed = [LinkOption.allowAddress, RequestOption.header, RequestOption.cookie]
  private static let capNames = "max-body or --max-document"

  /// The options of a worker that are among them.
  static let specs =
    RequestOption.all + [
      LinkOption.maxHops.spec, LinkOption.maxPage.spec, FleetOption.maxDocument.spec,
      LinkOption.userAgent.spec,
      LinkOption.allowAddress.spec, LinkOption.respectRobots.spec,
    ] + LinkOption.network

  /// The options that an aggregator wants of its fetchers: its own, or nil if it was given none.
  ///
  /// - Parameter isTold: Its options are all there are, as under `up`, even if there are none.
  static func wanted(_ arguments: ParsedArguments, isTold: Bool) -> [FindingOption]? {
    let isToldSome = specs.contains(where: arguments.isSet) || !hosts(arguments).isEmpty
    return isTold || isToldSome ? options(arguments) : nil
  }

  private static func texts(_ arguments: ParsedArguments) -> [(name: String, values: [String])] {
    let (page, document) = caps(arguments)
    let hosts = hosts(arguments)
    return [
      ("max-hops", ["\(arguments[LinkOption.maxHops])"]),
      ("caps", ["\(page)", "\(document)"]),
      ("user-agent", [arguments[LinkOption.userAgent]]),
      (allowName, arguments[LinkOption.allowAddress]),
      ("respect-robots", ["\(arguments[LinkOption.respectRobots])"]),
      ("method", [arguments[RequestOption.method].method.rawValue]),
      ("header", arguments[RequestOption.header]),
      ("cookie", arguments[RequestOption.cookie]),
      ("proxy", arguments[LinkOption.proxy].map { [$0] } ?? []),
      ("cacert", arguments[LinkOption.cacert].map { [$0] } ?? []),
      ("insecure", ["\(arguments[LinkOption.insecure])"]),
      ("http1", ["\(arguments[LinkOption.http1])"]),
    ] + (hosts.isEmpty ? [] : [(hostsName, hosts)])
  }

  /// As a report names it behind two dashes.
  private static let hostsName = "\(ConfigOption.config.spec.name)'s [\(SettingsFile.hostsKey)]"

  /// Settings for single hosts, sorted. Their pace changes no findings.
  private static func hosts(_ arguments: ParsedArguments) -> [String] {
    arguments.hosts.compactMap { setting in
      switch (setting.key, setting.value) {
      case (.userAgent, .text(let text)): "\(setting.host) \(setting.key.rawValue)\n\(text)"
      case (.headers, .list(let lines)):
        (["\(setting.host) \(setting.key.rawValue)"] + lines).joined(separator: "\n")
      default: nil
      }
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
