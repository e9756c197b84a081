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
}

extension ParsedArguments {
  /// The fleet that an option names, else that of the default directory.
  var fleetPlace: FleetPlace {
    self[FleetOption.fleet] ?? FleetPlace(runDirectory: FleetPlace.defaultDirectory(environment))
  }

  /// The run directory that an option names, else the default one.
  var runDirectory: String {
    let directory = self[FleetOption.runDirectory] ?? FleetPlace.defaultDirectory(environment)
    return FleetPlace(runDirectory: directory).directory ?? "/"
  }

  func fleet() throws -> FleetLinkPlan { try FleetLinkPlan(self) }

  /// The fleet that does the work, with options of its own; nil when this process does it.
  func chosenFleet() throws -> FleetLinkPlan? {
    guard isSet(FleetOption.chosenFleet) else { return nil }
    let fleet = try fleet()
    try refuseFleetsOwn()
    return fleet
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
