import Assembly
import Pipeline
import Posix
import Roles

/// What goes to standard error when a fleet cannot be reached, with its newline.
extension FleetSilent {
  private var place: FleetPlace { directory.map { FleetPlace(runDirectory: $0) } ?? FleetPlace(address.text) }

  private var condition: FleetCondition { FleetCondition(of: FleetPlace(address.text), in: directory) }

  /// Without the word of the lane or of this machine, it may be the keys: a fleet answers no stranger at all.
  private func reason(_ condition: FleetCondition) -> String {
    if let refusal { return ": \(refusal)" }
    guard condition == .unknown, address.text.hasPrefix("tcp://") else { return condition.reason }
    return "; one with keys answers only those who have its --key FILE, or stand in its --allow-keys"
  }

  /// Without what to do about it.
  var words: String {
    let time = milliseconds > 0 ? " within \(Quantity.duration(milliseconds))" : ""
    return "no fleet answers at \(address.text)\(time)\(reason(condition))"
  }

  var rendered: String {
    "halyard: \(Printable.text(words))\n\(logLine)try:   \(next(environmentVariables()))\n"
  }

  /// Where a fleet in the background says more; empty when none is known to run.
  private var logLine: String {
    guard !condition.isAbsent, condition != .unknown, Self.isKept(in: place),
      let home = place.directory.flatMap({ try? RunDirectory(checking: $0) }),
      let log = try? FleetLog(in: home)
    else { return "" }
    let error = log.lastError.map { "; its last error: \($0)" } ?? ""
    return "halyard: its log is \(Printable.text(log.path + error))\n"
  }

  /// What brings back the fleet that was asked for, or where that is done.
  func next(_ environment: [String: String]) -> String {
    let isElsewhere = place.directory.map(RunningFleet.runsElsewhere) ?? !place.isLoopback
    guard !isElsewhere else {
      return "halyard status   (on the fleet's machine, where 'halyard up' starts it)"
    }
    switch condition {
    case .stopped(let process): return "kill -CONT \(process)"
    case .restarting, .mute:
      let fleet = place == Self.standard(environment) ? "" : " --fleet \(ShellWord.quoted(shown))"
      return "halyard status --wait 1m\(fleet)"
    case .absent, .unknown:
      let start = Self.isKept(in: place) ? "halyard restart" : "halyard up --detach"
      let isEnded = condition.isAbsent && condition != .absent(words: nil)
      return start + reached(environment) + (isEnded ? "   (when that is mended)" : "")
    }
  }

  /// Its options are kept, and 'up' alone would do without them.
  private static func isKept(in place: FleetPlace) -> Bool {
    guard place.isRunDirectory, let directory = place.directory, isDirectory(directory) else { return false }
    let start = try? FleetStart(keptIn: RunDirectory(checking: directory))
    return start.flatMap(\.self) != nil
  }

  private static func standard(_ environment: [String: String]) -> FleetPlace {
    FleetPlace(runDirectory: FleetPlace.defaultDirectory(environment))
  }

  private var shown: String {
    Printable.text(place.isRunDirectory ? place.directory ?? address.text : address.text)
  }

  private func reached(_ environment: [String: String]) -> String {
    guard place != Self.standard(environment) else { return "   (another fleet with --fleet)" }
    return " \(place.isRunDirectory ? "--run-dir" : "--listen") \(ShellWord.quoted(shown))"
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
