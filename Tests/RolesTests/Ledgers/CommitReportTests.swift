import Pipeline
import PipelineTesting
import Posix
import Roles
import Testing
import TransportInProcess

/// What an aggregator says of commits that fail.
@Suite(.timeLimit(.minutes(4)))
struct CommitReportTests {
  /// Keeps when each message was logged.
  private final class TimedLog: Log {
    private let clock: ManualClock
    private let records = Lock<[(message: String, at: Moment)]>([])

    init(_ clock: ManualClock) {
      self.clock = clock
    }

    func record(_ level: LogLevel, _ message: StaticString, _ metadata: [LogField]) {
      records.withLock { $0.append(("\(message)", clock.now)) }
    }

    func moments(_ message: String) -> [Moment] {
      records.withLock { $0.filter { $0.message == message }.map(\.at) }
    }
  }

  @Test func `a commit that fails again and again is told again and again, and that it succeeds`()
    async throws
  {
    let clock = ManualClock()
    let (log, transport) = (TimedLog(clock), InProcessTransport(clock: clock))
    let ports = RolePorts(transport: transport, clock: clock, random: .seeded(7), log: log)
    let ledger = FailingLedger(LedgerError("there is no room", kind: .full))
    let inbox = try await transport.bind(Address("inproc://aggregator"))
    let aggregator = Aggregator(settings: .init(), inbox: inbox, ledger: ledger, ports: ports)
    var settings = ProducerSettings(batch: BatchID(ports.random.uuid(at: clock.now)))
    settings.collectsRows = false
    let producer = Producer(
      settings: settings, inbox: try await transport.bind(Address("inproc://producer")),
      aggregator: inbox.address, ports: ports)
    await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await aggregator.run() }
      group.addTask { try await producer.run(ListFeed([JobDraft(kind: .echo, input: "x")])) { _ in } }
      while log.moments("commit failed, trying again").count < 3, !Task.isCancelled {
        clock.advance(byMilliseconds: 100)
        await Task.yield()
      }
      ledger.heal()
      while log.moments("commits succeed again").isEmpty, !Task.isCancelled {
        clock.advance(byMilliseconds: 100)
        await Task.yield()
      }
      group.cancelAll()
    }
    let told = log.moments("commit failed, trying again")
    for (earlier, later) in zip(told, told.dropFirst()) {
      #expect(later.milliseconds(since: earlier) >= 15_000)
    }
    #expect(log.moments("commits succeed again").count == 1)
  }
}
