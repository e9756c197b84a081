import Assembly
import Links
import Pipeline
import Posix

extension FleetPlace {
  /// What is wrong with a text that was meant for an address; nil when it can be one, or a directory.
  static func problem(_ text: String) -> String? {
    guard !text.hasPrefix("tcp://"), !text.hasPrefix("ipc://") else { return nil }
    let scheme = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
    let isScheme = !scheme.isEmpty && text.dropFirst(scheme.count).hasPrefix(":/") || text.hasPrefix("tcp:")
    let port = text.split(separator: ":", omittingEmptySubsequences: false).dropFirst().last ?? ""
    let isHostAndPort = !text.contains("/") && !port.isEmpty && port.allSatisfy(\.isNumber)
    guard isScheme || isHostAndPort else { return nil }
    return
      "'\(Printable.text(text))' is neither tcp://HOST:PORT nor ipc://PATH; for a directory write ./\(Printable.text(text))"
  }

  /// The run directory that a command's option names, else the default one.
  static func directory(of arguments: ParsedArguments, _ environment: [String: String]) -> String {
    let place = FleetPlace(runDirectory: arguments[FleetOption.runDirectory] ?? defaultDirectory(environment))
    return place.directory ?? "/"
  }
}

extension ParsedArguments {
  func place(_ option: Option<String?>) throws(UsageError) -> FleetPlace? {
    guard let text = self[option] else { return nil }
    if let problem = FleetPlace.problem(text) { throw rejection(of: option, problem) }
    return FleetPlace(text)
  }
  /// The host that an option names, as jobs wait for it; nil when none is given.
  func hostKey(_ option: Option<String?>) throws(UsageError) -> String? {
    guard let text = self[option] else { return nil }
    guard let key = try? WebURL.userInput(text).hostKey, key.utf8.count <= HostSlotRequest.longestHost else {
      throw rejection(of: option, "'\(text)' is not a host")
    }
    return key
  }
}
