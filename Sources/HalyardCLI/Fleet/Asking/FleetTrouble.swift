import Assembly
import Pipeline
import Posix
import Roles

/// What goes to standard error when a fleet cannot be reached, with its newline.
extension FleetSilent {
  /// A fleet with other keys does not answer at all.
  private var keys: String {
    guard address.text.hasPrefix("tcp://") else { return "" }
    return "; one with keys answers only those who have its --key FILE, or stand in its --allow-keys"
  }

  var rendered: String {
    let time = milliseconds > 0 ? " within \(Quantity.duration(milliseconds))" : ""
    return """
      halyard: no fleet answers at \(Printable.text(address.text))\(time)\(keys)
      try:   \(next(environmentVariables()))

      """
  }

  /// What starts the fleet that was asked for, or where that is done.
  func next(_ environment: [String: String]) -> String {
    let place = FleetPlace(address.text)
    let isElsewhere = place.directory.map(RunningFleet.runsElsewhere) ?? !place.isLoopback
    guard !isElsewhere else {
      return "halyard status   (on the fleet's machine, where 'halyard up' starts it)"
    }
    let start = Self.isKept(in: place) ? "halyard restart" : "halyard up --detach"
    return start + reached(place, environment)
  }

  /// Its options are kept, and 'up' alone would do without them.
  private static func isKept(in place: FleetPlace) -> Bool {
    guard place.isRunDirectory, let directory = place.directory, isDirectory(directory) else { return false }
    let start = try? FleetStart(keptIn: RunDirectory(checking: directory))
    return start.flatMap(\.self) != nil
  }

  private func reached(_ place: FleetPlace, _ environment: [String: String]) -> String {
    let standard = FleetPlace(runDirectory: FleetPlace.defaultDirectory(environment))
    guard place != standard else { return "   (another fleet with --fleet)" }
    guard place.isRunDirectory, let directory = place.directory else {
      return " --listen \(ShellWord.quoted(Printable.text(address.text)))"
    }
    return " --run-dir \(ShellWord.quoted(Printable.text(directory)))"
  }
}

extension TransportError {
  var rendered: String {
    let words =
      switch self {
      case .closed(let address): "\(address) was closed"
      case .unreachable(let address): "nothing listens at \(address)"
      case .addressInUse(let address, let process):
        "\(address) is taken\(process.map { " by process \($0)" } ?? "")"
      case .tooLarge(let bytes, let limit): "a message of \(bytes) bytes, and \(limit) is the most"
      case .unusable(let what, let why, let remedy): "\(what): \(why); \(remedy)"
      }
    return "halyard: \(Printable.text(words))\n"
  }
}
