import JSONQuery
import LedgerMemory
import Pipeline
import PipelineTesting
import Posix
import Testing

@testable import Roles

/// Which of the workers that speak get something to do, and what is said of the others.
@Suite(.timeLimit(.minutes(10)))
struct FleetMembersTests {
  private struct Warnings: Log {
    private let records = Lock<[String]>([])

    func record(_ level: LogLevel, _ message: StaticString, _ metadata: [LogField]) {
      records.withLock { $0.append("\(message)") }
    }

    var ofDifferences: Int {
      records.withLock { $0.count { $0 == "worker gets nothing to do: it differs from its fleet" } }
    }
  }

  private let transport = RecordingTransport()
  private let log = Warnings()

  private static func address(_ id: UInt64) -> Address { Address("inproc://worker-\(id)") }

  private func hello(
    _ id: UInt64, _ role: Role = .fetcher, version: String = "1.2.3", wire: UInt16 = EnvelopeCodec.version
  ) -> Delivery {
    var hello = Hello(
      worker: WorkerID.numbered(id), role: role, locality: "here", address: Self.address(id),
      granted: 10, received: 0)
    hello.program = WorkerProgram(version: version, wire: wire)
    return .envelope(Envelope.said(.hello(hello)))
  }

  private func submission(_ ordinal: UInt64) -> Delivery {
    let batch = BatchID(UUIDv7(high: 2, low: 1))
    let job = Job(batch: batch, ordinal: ordinal, kind: .unfurl, input: "http://a\(ordinal).test/")
    return .envelope(
      Envelope.said(
        .submit(
          Submit(
            batch: batch, sequence: UInt32(ordinal), replyTo: Address("inproc://producer"), jobs: [job]))))
  }

  /// How many jobs each of the first workers got. Each burst comes a second after the one before.
  private func run(_ bursts: [[Delivery]]) async -> [Int] {
    let clock = ManualClock(isStepping: true)
    let inbox = ScriptedInbox(Address("inproc://aggregator"), bursts) {
      clock.advance(byMilliseconds: 1_000)
    }
    var settings = AggregatorSettings()
    settings.program = .init(version: "1.2.3")
    let aggregator = Aggregator(
      settings: settings, inbox: inbox, ledger: MemoryLedger(),
      ports: RolePorts(transport: transport, clock: clock, random: .seeded(1), log: log))
    try? await aggregator.run()
    return (1...3).map { id in
      transport.sent(to: Self.address(id)).count { if case .job = $0 { true } else { false } }
    }
  }

  @Test func `a fetcher with frames of another version gets no jobs, and the status says why`() async throws {
    let workers = [hello(1, wire: 0x0200), hello(2), hello(3, .decoder)]
    let client = Address("inproc://client")
    let question = Delivery.envelope(
      Envelope.said(.ask(Ask(StatusQuestion(), replyTo: client, id: UUIDv7(high: 5, low: 1)))))
    let jobs = await run([workers, [submission(0)], [submission(1)], workers, [question], []])
    #expect(jobs == [0, 2, 0])
    guard case .tell(let tell)? = transport.sent(to: client).last else {
      Issue.record("no status")
      return
    }
    let status = try JSONDocument(parsing: tell.json).root
    let stranger = WorkerID.numbered(1)
    let own = WorkerProgram(version: "").wireText
    let difference = "it writes frames of version 2.0, and the aggregator \(own)"
    #expect(
      status["reason"]?.string
        == "fetcher \(stranger) gets nothing to do: \(difference); start it as the rest of its fleet")
    let differences = status["workers"]?.elements.map { $0["differs"]?.string }
    #expect(differences == [difference, nil, nil])
  }

  @Test func `a fetcher of another minor version gets jobs, and one of another major version does not`()
    async
  {
    let workers = [hello(1, version: "1.1.0", wire: 0x0101), hello(2, wire: 0x0200)]
    let jobs = await run([workers, [submission(0)], [submission(1)], [], []])
    #expect(jobs == [2, 0, 0])
    #expect(log.ofDifferences == 1)
  }

  @Test(arguments: [Role.producer, .aggregator])
  func `nothing is said of those of another version that do no work`(role: Role) async {
    let strange = hello(1, role, wire: 0x0200)
    _ = await run([[hello(2)], [strange], [strange], [strange]])
    #expect(log.ofDifferences == 0)
  }
}
