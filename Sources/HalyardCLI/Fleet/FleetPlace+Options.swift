import Assembly
import Links
import Pipeline
import Posix

extension FleetPlace {
  /// An address or a directory, but no text that was meant for an address and is none.
  static func read(_ text: String) throws(ValueProblem) -> FleetPlace {
    guard !text.hasPrefix("tcp://"), !text.hasPrefix("ipc://") else { return FleetPlace(text) }
    let scheme = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
    let isScheme = !scheme.isEmpty && text.dropFirst(scheme.count).hasPrefix(":/") || text.hasPrefix("tcp:")
    let port = text.split(separator: ":", omittingEmptySubsequences: false).dropFirst().last ?? ""
    let isHostAndPort = !text.contains("/") && !port.isEmpty && port.allSatisfy(\.isNumber)
    guard isScheme || isHostAndPort else { return FleetPlace(text) }
    let shown = Printable.text(text)
    throw ValueProblem(
      words: "'\(shown)' is neither tcp://HOST:PORT nor ipc://PATH; for a directory write ./\(shown)")
  }

  /// The fleet that a command's option names, else that of the default directory.
  static func fleet(of arguments: ParsedArguments, _ environment: [String: String]) -> FleetPlace {
    arguments[FleetOption.fleet] ?? FleetPlace(runDirectory: defaultDirectory(environment))
  }

  /// The run directory that a command's option names, else the default one.
  static func directory(of arguments: ParsedArguments, _ environment: [String: String]) -> String {
    let place = FleetPlace(runDirectory: arguments[FleetOption.runDirectory] ?? defaultDirectory(environment))
    return place.directory ?? "/"
  }
}

extension ParsedArguments {
  /// The host that an option names, as jobs wait for it; nil when none is given.
  func hostKey(_ option: Option<String?>) throws(UsageError) -> String? {
    guard let text = self[option] else { return nil }
    guard let key = try? WebURL.userInput(text).hostKey, key.utf8.count <= HostSlotRequest.longestHost else {
      throw rejection(of: option, "'\(text)' is not a host")
    }
    return key
  }
}
