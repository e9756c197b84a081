import Assembly
import JSONQuery
import Pipeline
import Posix
import Roles

struct PingCommand {
  let arguments: ParsedArguments
  let fleet: FleetLinkPlan

  func run() async throws -> ExitCode {
    let failures = Lock(0)
    return try await fleet.withLink { link in
      _ = try await link.client.ask(StatusQuestion())
      let batch = link.ports.passingBatch()
      do {
        try await link.ping(batch, count: UInt64(arguments[FleetOption.count])) { ping in
          if ping.row.failure != nil { failures.withLock { $0 += 1 } }
          let report = try PingReport(ping)
          try arguments.show(json: report.json, text: "\(report.text)\n")
        }
      } catch is FleetSilent {
        let status = try StatusText(try await link.client.ask(StatusQuestion()).bytes)
        Message.show(
          "halyard: the aggregator answers, but the echo did not come back\(status.reason)\(status.pauseOfAll)\n"
            + NextCommand(after: arguments)("status"))
        if !status.isStuck {
          _ = try? await link.client.ask(
            CancelOrder(JobChoice(batch), cause: "the echo did not come back in time"))
        }
        return .unreachable
      }
      return failures.withLock { $0 } == 0 ? .ok : .someFailed
    }
  }
}

struct PingReport {
  /// The parts of the way and what each took in microseconds; nil where a role did not tell.
  private let parts: [(name: String, microseconds: Int64?)]
  private let total: Int64
  private let number: UInt64

  init(_ ping: Ping) throws {
    let trace = try JSONDocument(parsing: ping.row.json).root["trace"]
    func moment(_ role: Role) -> Int64? { trace?[role.name].flatMap { Int64($0.minified) } }
    func time(_ start: Int64?, _ end: Int64?) -> Int64? {
      guard let start, let end else { return nil }
      return end - start
    }
    let (given, fetched, decoded) = (moment(.aggregator), moment(.fetcher), moment(.decoder))
    parts = [
      ("aggregator", time(ping.sentAt, given)), ("fetcher", time(given, fetched)),
      ("decoder", time(fetched, decoded)), ("row", time(decoded, ping.cameBackAt)),
    ]
    total = ping.cameBackAt - ping.sentAt
    number = ping.row.number
  }

  var text: String {
    let way = parts.map { "\($0.name) \($0.microseconds.map(String.init) ?? "?")" }.joined(separator: " + ")
    return "echo \(number): \(total) µs = \(way)"
  }

  var json: [UInt8] {
    JSONWriter.line { line in
      line.member("echo", number)
      line.member("total_us", total)
      for part in parts {
        line.memberOrNull("\(part.name)_us", part.microseconds)
      }
    }
  }
}
