import LedgerMemory
import Pipeline
import PipelineTesting
import Posix
import Testing

@testable import Roles

/// Log lines name what they are about.
@Suite(.timeLimit(.minutes(10)))
struct LogSubjectTests {
  private final class RecordingLog: Log {
    private let lines = Lock<[String: [[LogField]]]>([:])

    func record(_ level: LogLevel, _ message: StaticString, _ metadata: [LogField]) {
      lines.withLock { $0["\(message)", default: []].append(metadata) }
    }

    /// What the last line of this message named.
    subscript(message: String) -> [LogField] { lines.withLock { $0[message]?.last ?? [] } }

    func count(of message: String) -> Int { lines.withLock { $0[message]?.count ?? 0 } }
  }

  private let log = RecordingLog()
  private let job = Job(
    batch: BatchID(UUIDv7(high: 2, low: 1)), ordinal: 0, kind: .unfurl, input: "http://a.test/")
  private let worker = WorkerID.numbered(1)
  private var lease: Lease { Lease(token: .sealed(1, of: job.id), attempt: 1) }
  private var ports: RolePorts {
    RolePorts(
      transport: RecordingTransport(), clock: ManualClock(isStepping: true), random: .seeded(1), log: log)
  }

  private func runAggregator(
    _ bursts: [[Message]], ledger: any Ledger = MemoryLedger(), settings: AggregatorSettings = .init()
  ) async {
    let inbox = ScriptedInbox(Address("inproc://aggregator"), bursts)
    let aggregator = Aggregator(settings: settings, inbox: inbox, ledger: ledger, ports: ports)
    await #expect(throws: CancellationError.self) { try await aggregator.run() }
  }

  private func submit(_ jobs: [Job], sequence: UInt32 = 0) -> Message {
    .submit(
      Submit(
        batch: job.batch, sequence: sequence, replyTo: Address("inproc://producer"), jobs: jobs))
  }

  private var hello: Message {
    .hello(
      Hello(
        worker: worker, role: .fetcher, locality: "here", address: Address("inproc://fetcher"), granted: 1,
        received: 0))
  }

  @Test func `a line about a retry names the job and its batch`() async {
    let failure = Failure(.connect, at: .connect, "refused", retryable: true)
    let result = JobResult(
      job: job.id, sender: worker, lease: lease, failure: failure, members: [], milliseconds: 0)
    await runAggregator([[submit([job])], [hello], [.result(result)]])
    let fields = log["job will be tried again"]
    #expect(fields.prefix(2) == [.job(job.id), .batch(job.batch)])
  }

  @Test func `a line about a submission that waits names its batch`() async {
    var settings = AggregatorSettings()
    settings.mostOpenJobs = 1
    let second = Job(batch: job.batch, ordinal: 1, kind: .unfurl, input: "http://a.test/2")
    await runAggregator([[submit([job])], [submit([second], sequence: 1)]], settings: settings)
    #expect(log["submission waits: too many jobs are open"].first == .batch(job.batch))
  }

  @Test func `a line about a message to the wrong role names its job, batch and lease`() async {
    await runAggregator([[.job(JobOrder(job: job, lease: lease))]])
    #expect(
      log["message not for an aggregator"] == [
        .job(job.id), .batch(job.batch), .lease(lease.token), LogField("times", 1),
      ])
  }

  @Test func `a line about a worker that fell silent says which one, where and as what process`() async {
    var hello = Hello(
      worker: worker, role: .fetcher, locality: "here", address: Address("inproc://fetcher"), granted: 1,
      received: 0)
    hello.program = WorkerProgram(version: "0.1.0", process: 17)
    let clock = ManualClock()
    let bursts = [[Delivery.envelope(.said(.hello(hello)))]] + Array(repeating: [], count: 12)
    let inbox = ScriptedInbox(Address("inproc://aggregator"), bursts) { clock.advance(byMilliseconds: 2_000) }
    let aggregator = Aggregator(
      settings: .init(), inbox: inbox, ledger: MemoryLedger(),
      ports: RolePorts(transport: RecordingTransport(), clock: clock, random: .seeded(1), log: log))
    await #expect(throws: CancellationError.self) { try await aggregator.run() }
    #expect(
      log["worker is silent, its jobs go to others"] == [
        .worker(worker), LogField("role", "fetcher"), LogField("locality", "here"),
        LogField("address", "inproc://fetcher"), LogField("process", 17),
      ])
  }

  @Test func `many messages to the wrong role make few lines`() async {
    await runAggregator([Array(repeating: .job(JobOrder(job: job, lease: lease)), count: 1_000)])
    #expect(log["message not for an aggregator"].last == LogField("times", 512))
    #expect(log.count(of: "message not for an aggregator") == 10)
  }

  @Test func `a fetcher's line about a result that is not for it names job, lease and worker`() async {
    let result = JobResult(
      job: job.id, sender: worker, lease: lease, failure: nil, members: [], milliseconds: 0)
    let fetcher = Fetcher(
      settings: FetcherSettings(concurrency: 1),
      identity: WorkerIdentity(
        at: Moment(unixMilliseconds: 0), secret: .none, locality: "here",
        aggregator: Address("inproc://aggregator")),
      inbox: ScriptedInbox(Address("inproc://fetcher"), [[.result(result)]]), ports: ports,
      fetching: ScriptedFetching([:]))
    await #expect(throws: CancellationError.self) { try await fetcher.run() }
    #expect(
      log["message refused: it was sent in another worker's name"] == [
        .job(job.id), .lease(lease.token), .worker(worker), LogField("times", 1),
      ])
  }

  @Test func `what a decoder says after it counted as dead is late, and no forgery`() async {
    let (decoder, address) = (WorkerID.numbered(2), Address("inproc://decoder"))
    let roster = Roster(decoders: [Roster.Peer(worker: decoder, address: address, secret: .numbered(2))])
    let credit = Envelope.said(.credit(Credit(from: decoder, granted: 1)))
    let inbox = ScriptedInbox(
      Address("inproc://fetcher"),
      [
        [.envelope(Envelope(.roster(roster)))], [.lane(LaneNotice(address: address, isUp: false))],
        [.envelope(credit)],
      ], beforeEach: {})
    let fetcher = Fetcher(
      settings: FetcherSettings(concurrency: 1),
      identity: WorkerIdentity(
        at: Moment(unixMilliseconds: 0), secret: .none, locality: "here",
        aggregator: Address("inproc://aggregator")),
      inbox: inbox, ports: ports, fetching: ScriptedFetching([:]))
    await #expect(throws: CancellationError.self) { try await fetcher.run() }
    #expect(
      log["late message of a decoder that left or counted as dead"] == [
        .worker(decoder), LogField("times", 1),
      ])
    #expect(log.count(of: "message refused: it was sent in another worker's name") == 0)
  }

  @Test func `the fields have the same names in every line`() {
    let fields: [LogField] = [.job(job.id), .batch(job.batch), .worker(worker), .lease(lease.token)]
    #expect(fields.map(\.name) == ["job", "batch", "worker", "lease"])
  }
}
