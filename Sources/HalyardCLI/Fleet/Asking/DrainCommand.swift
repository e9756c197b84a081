import JSONQuery
import Pipeline
import Roles

/// The command `drain`: lets a worker finish what it has and end.
struct DrainCommand {
  let arguments: ParsedArguments
  let fleet: FleetLinkPlan

  func run() async throws -> ExitCode {
    let text = arguments.operands[0]
    try arguments.require(!text.isEmpty, "no worker given")
    let drained = try await fleet.changing("worker \(Printable.text(text)) drains", see: ["status"]) { link in
      let worker = try FleetWorker(text, in: try await link.client.ask(StatusQuestion()).bytes)
      return (worker: worker, outcome: try await link.client.ask(DrainOrder(worker.id)))
    }
    guard let drained else { return .unreachable }
    return try show(drained.worker, drained.outcome)
  }

  private func show(_ worker: FleetWorker, _ outcome: DrainOrder.Reply) throws -> ExitCode {
    let words =
      switch outcome {
      case .leaving(let jobs) where jobs > 0: "finishes \(Counted.jobs(UInt64(jobs))) and ends"
      case .leaving: "ends"
      case .gone: "has ended"
      }
    let json = JSONWriter.line { line in
      line.member("worker", worker.id.description)
      line.member("role", worker.role)
      if case .leaving(let jobs) = outcome { line.member("held", jobs) }
      line.member("ended", outcome == .gone)
    }
    return try arguments.show(json: json, text: "\(worker.name) \(words)\n")
  }
}

/// A worker that the fleet's status names.
struct FleetWorker: Hashable, Sendable {
  var id: WorkerID
  var role: String

  var name: String { "\(role) \(id)" }

  /// - Parameters:
  ///   - text: Its id, or the beginning or end of it.
  ///   - status: The fleet's, as JSON.
  init(_ text: String, in status: [UInt8]) throws {
    let wanted = text.lowercased()
    let found = try JSONDocument(parsing: status).root.list("workers").compactMap(Self.init(_:)).filter {
      let id = $0.id.description
      return id.hasPrefix(wanted) || id.hasSuffix(wanted)
    }
    guard let worker = found.first else {
      throw InputError(text, "the fleet has no worker with this id; 'halyard status' shows their ids")
    }
    guard found.count == 1 else {
      let names = found.prefix(Self.mostNamed).map(\.name).joined(separator: ", ")
      throw InputError(
        text, "the ids of \(found.count) workers begin or end like this; give more of it: \(names)")
    }
    self = worker
  }

  private static let mostNamed = 5

  private init?(_ worker: JSONValue) {
    guard let id = worker["id"]?.string.flatMap({ UUIDv7($0) }), let role = worker["role"]?.string else {
      return nil
    }
    (self.id, self.role) = (WorkerID(id), role)
  }
}
