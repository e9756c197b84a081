import JSONQuery
import Links
import Pipeline
import Posix
import Roles

/// The commands `pause` and `resume`.
struct PauseCommand {
  private let arguments: ParsedArguments
  private let scope: PauseScope
  private let fleet: FleetLinkPlan
  /// nil to resume.
  private let pause: Pause?

  init(_ arguments: ParsedArguments, fleet: FleetLinkPlan, environment: [String: String]) throws(UsageError) {
    self.arguments = arguments
    scope = try Self.scope(arguments)
    let user = environment["USER"] ?? environment["LOGNAME"] ?? "user \(userID)"
    pause =
      arguments.command == CommandTable.pause
      ? Pause(
        by: "\(user)@\(hostName)", reason: arguments[SharingOption.reason],
        lastsMilliseconds: arguments[SharingOption.pauseTime]) : nil
    self.fleet = fleet
  }

  private static func scope(_ arguments: ParsedArguments) throws(UsageError) -> PauseScope {
    let host = try arguments.hostKey(SharingOption.host)
    switch (BatchText(arguments), host, arguments[SharingOption.all]) {
    case (let batch?, nil, false): return .batch(batch.id)
    case (nil, let host?, false): return .host(host)
    case (nil, nil, true): return .all
    case (nil, nil, false):
      throw UsageError("no batch given, and neither --host nor --all", command: arguments.command)
    default:
      throw UsageError("a batch, --host and --all exclude one another", command: arguments.command)
    }
  }

  func run() async throws -> ExitCode {
    let state = "\(subject) is \(isPause ? "paused" : "resumed")"
    let end = try await fleet.changing(state, after: arguments, see: ["status"]) { link in
      if let batch = BatchText(arguments), try await link.client.progress(of: batch.id) == nil {
        throw batch.unknown
      }
      return try await link.client.set(pause, of: scope)
    }
    guard let end else { return .unreachable }
    guard end.isPaused == isPause else {
      Message.show("halyard: too many hosts are paused; resume some, or pause everything\n")
      return .someFailed
    }
    try arguments.show(json: json(end), text: "\(words(wasChanged: end.wasChanged))\n")
    return .ok
  }

  private var isPause: Bool { pause != nil }

  private var subject: String {
    switch scope {
    case .all: "everything"
    case .host(let host): "host \(Printable.text(host))"
    case .batch: "batch \(Printable.text(arguments.operands.first ?? ""))"
    }
  }

  private func words(wasChanged: Bool) -> String {
    let time = pause?.lastsMilliseconds.map { " for \(Quantity.duration($0))" } ?? ""
    return switch (isPause, wasChanged) {
    case (true, true): "\(subject) is paused\(time)"
    case (true, false): "\(subject) was paused already\(time.isEmpty ? "" : "; it is now\(time)")"
    case (false, true): "\(subject) is resumed"
    case (false, false): "\(subject) was not paused"
    }
  }

  private func json(_ end: (isPaused: Bool, wasChanged: Bool)) -> [UInt8] {
    JSONWriter.line { line in
      switch scope {
      case .all: line.member("all", true)
      case .host(let host): line.member("host", host)
      case .batch(let batch): line.member("batch", batch.description)
      }
      line.member("paused", end.isPaused)
      line.member("changed", end.wasChanged)
      if let milliseconds = pause?.lastsMilliseconds { line.member("for_ms", milliseconds) }
      line.member("by", pause?.by)
      line.member("reason", pause?.reason)
    }
  }
}
