import Assembly
import Pipeline
import Posix
import Roles

/// What goes to standard error when a fleet cannot be reached, with its newline.
extension FleetSilent {
  private var place: FleetPlace { directory.map { FleetPlace(runDirectory: $0) } ?? FleetPlace(address.text) }

  var condition: FleetCondition { FleetCondition(of: FleetPlace(address.text), in: directory) }

  /// Without the word of the lane or of this machine, it may be the keys: a fleet answers no stranger at all.
  private func reason(_ condition: FleetCondition) -> String {
    if case .stopped = condition { return condition.reason }
    if let refusal { return ": \(refusal)" }
    guard condition == .unknown, address.text.hasPrefix("tcp://") else { return condition.reason }
    let name = place.hostName.map { ", and 'getent hosts \($0)' says whether its name is known" } ?? ""
    return "; one with keys answers only those who have a --key of it, or stand in its --allow-keys\(name)"
  }

  /// What the fleet of the run directory noted when it ran last.
  var mark: (ledger: String, address: String?)? {
    place.isRunDirectory ? place.directory.flatMap { LedgerMark.noted(in: $0) } : nil
  }

  /// Without what to do about it.
  var words: String {
    let time = milliseconds > 0 ? " within \(Quantity.duration(milliseconds))" : ""
    let address = (condition.isAbsent ? mark?.address : nil) ?? address.text
    return "no fleet answers at \(address)\(time)\(reason(condition))"
  }

  var rendered: String {
    "halyard: \(Printable.text(words))\n\(log.map { "halyard: \(Printable.text($0))\n" } ?? "")"
      + "try:   \(next(environmentVariables()))\n"
  }

  /// Where a fleet in the background says more, and what that is; nil when none is known to run.
  var log: String? {
    guard !condition.isAbsent, condition != .unknown, let directory = place.directory,
      let log = try? FleetLog(in: RunDirectory(checking: directory)),
      let up = try? RunningFleet.process(in: directory), log.isOf(up)
    else { return nil }
    return "its log is \(log.path)\(log.lastError.map { "; its last error: \($0)" } ?? "")"
  }

  /// What brings back the fleet that was asked for, or where that is done.
  func next(_ environment: [String: String]) -> String {
    let isElsewhere = place.directory.map(RunningFleet.runsElsewhere) ?? !place.isLoopback
    guard !isElsewhere else {
      return "halyard status   (on the fleet's machine, where 'halyard up' starts it)"
    }
    switch condition {
    case .stopped(let process): return "kill -CONT \(process)"
    case .elsewhere(let address): return "halyard status --fleet \(ShellWord.quoted(Printable.text(address)))"
    case .restarting, .mute:
      let fleet = place == Self.standard(environment) ? "" : " --fleet \(ShellWord.quoted(shown))"
      return "halyard status --wait 1m\(fleet)"
    case .killed, .ending:
      return "halyard down --run-dir \(ShellWord.quoted(place.directory ?? shown))   (waits for them)"
    case .silent:
      return "halyard status --fleet \(ShellWord.quoted(shown)) --key FILE   (a client's key of that fleet)"
    case .unbound where runs(Self.homeOfUp(environment)):
      let home = Self.homeOfUp(environment).directory ?? ""
      let isOverTCP = LedgerMark.noted(in: home)?.address?.hasPrefix("tcp://") == true
      return "halyard status --fleet \(ShellWord.quoted(Printable.text(home)))"
        + (isOverTCP ? " --key FILE" : "") + "   (a fleet runs there)"
    case .absent, .unknown, .unbound:
      let isEnded = condition.isAbsent && condition != .absent(words: nil)
      return "halyard up --detach" + notedOptions + reached(environment)
        + (isEnded ? "   (when that is mended)" : "")
    }
  }

  private static func standard(_ environment: [String: String]) -> FleetPlace {
    FleetPlace(runDirectory: FleetPlace.defaultDirectory(environment))
  }

  /// Where `halyard up` would run.
  private static func homeOfUp(_ environment: [String: String]) -> FleetPlace {
    let chosen = FleetOption.runDirectory.spec.variable.flatMap { environment[$0] }
    return chosen.map { FleetPlace(runDirectory: $0) } ?? standard(environment)
  }

  private func runs(_ place: FleetPlace) -> Bool {
    place.directory.flatMap { try? RunningFleet.process(in: $0) } != nil
  }

  private var shown: String {
    Printable.text(place.isRunDirectory ? place.directory ?? address.text : address.text)
  }

  private var notedOptions: String {
    let usual = [place.address.text, "\(place.directory ?? "")/ledger.db"]
    return zip([("--listen", mark?.address), ("--ledger", mark?.ledger)], usual).map { option, usual in
      option.1.map { $0 == usual ? "" : " \(option.0) \(ShellWord.quoted(Printable.text($0)))" } ?? ""
    }.joined()
  }

  private func reached(_ environment: [String: String]) -> String {
    let hint = mark == nil ? "" : "   (with the options that it had)"
    guard place != Self.standard(environment) else { return "\(hint)   (another fleet with --fleet)" }
    return " \(place.isRunDirectory ? "--run-dir" : "--listen") \(ShellWord.quoted(shown))\(hint)"
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
      case .malformed(let what, let why, let remedy), .unusable(let what, let why, let remedy):
        "\(what): \(why); \(remedy)"
      }
    return "halyard: \(Printable.text(words))\n"
  }
}
