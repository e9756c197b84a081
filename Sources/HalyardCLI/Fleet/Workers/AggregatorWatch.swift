import Assembly
import Pipeline
import Posix
import Roles

/// What `up` makes of an aggregator that lives and does not answer. A pure value.
///
/// Only a process that has answered before is judged: one that starts with a large ledger may take its time.
struct AnswerRule {
  enum Order: Hashable, Sendable {
    case tell(milliseconds: Int64)
    case tellOfAnswer
    case restart(milliseconds: Int64)
  }

  static let tellingMilliseconds: Int64 = 6_000
  static let restartMilliseconds: Int64 = 60_000

  private var process: Int32?
  private var silentMilliseconds: Int64 = 0
  private var isTold = false

  mutating func answered(by process: Int32?) -> Order? {
    defer { (self.process, silentMilliseconds, isTold) = (process, 0, false) }
    return isTold && self.process == process ? .tellOfAnswer : nil
  }

  mutating func silent(_ process: Int32?, forMilliseconds milliseconds: Int64) -> Order? {
    guard let process, process == self.process else {
      // Another life.
      (self.process, silentMilliseconds, isTold) = (nil, 0, false)
      return nil
    }
    silentMilliseconds += milliseconds
    if silentMilliseconds >= Self.restartMilliseconds {
      self.process = nil
      return .restart(milliseconds: silentMilliseconds)
    }
    guard !isTold, silentMilliseconds >= Self.tellingMilliseconds else { return nil }
    isTold = true
    return .tell(milliseconds: silentMilliseconds)
  }
}

/// Asks a fleet's aggregator every few seconds how it is, from outside: a process that is stopped cannot say so itself.
struct AggregatorWatch {
  static let name = "aggregator"
  private static let askingMilliseconds: Int64 = 3_000
  private static let pauseMilliseconds: Int64 = 3_000

  let supervisor: Supervisor
  let clock: any PipelineClock
  let log: any Log

  /// Works until its task is cancelled.
  func run(_ inbox: any Inbox, _ place: FleetPlace, _ ports: RolePorts) async throws {
    let client = FleetClient(
      inbox: inbox, aggregator: place.address, ports: ports, timeoutMilliseconds: Self.askingMilliseconds)
    var rule = AnswerRule()
    while true {
      let process = await supervisor.process(of: Self.name)
      let asked = clock.now
      do {
        _ = try await client.status(of: await fleetSize)
        if rule.answered(by: process) == .tellOfAnswer {
          log.record(.info, "the aggregator answers again", [])
        }
        try await clock.sleep(until: clock.now.advanced(byMilliseconds: Self.pauseMilliseconds))
      } catch is FleetSilent {
        let order = rule.silent(process, forMilliseconds: clock.now.milliseconds(since: asked))
        await carryOut(order, process)
      }
    }
  }

  private var fleetSize: FleetSize {
    get async {
      let fetchers = await supervisor.count(of: Role.fetcher.name)
      let decoders = await supervisor.count(of: Role.decoder.name)
      return FleetSize(fetchers: UInt32(clamping: fetchers), decoders: UInt32(clamping: decoders))
    }
  }

  private func carryOut(_ order: AnswerRule.Order?, _ process: Int32?) async {
    let state = process.flatMap(processState) ?? "unknown"
    switch order {
    case .tell(let milliseconds):
      log.record(
        .error, "the aggregator does not answer; it is started again when that lasts a minute",
        [LogField("process", process ?? 0), LogField("state", state), LogField("ms", milliseconds)])
    case .restart(let milliseconds):
      log.record(
        .error, "the aggregator did not answer, it is killed",
        [LogField("process", process ?? 0), LogField("state", state), LogField("ms", milliseconds)])
      await supervisor.kill(Self.name)
    case .tellOfAnswer, nil: break
    }
  }
}
