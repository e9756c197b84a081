import Pipeline
import PipelineTesting
import Posix
import Roles
import Testing

/// What a producer says again, while others are answered all the time.
@Suite(.timeLimit(.minutes(10)))
struct ProducerRepeatTests {
  private static let aggregator = Address("inproc://aggregator")
  private static let batch = BatchID(UUIDv7(high: 1, low: 1))

  /// Says what a test wants it to, or nothing, every 600 ms once all jobs were submitted.
  private final class TalkativeInbox: Inbox {
    let address = Address("inproc://producer")
    private let clock: ManualClock
    private let transport: RecordingTransport
    private let jobs: Int
    let words = Lock<[@Sendable () async -> Message?]>([])

    init(_ clock: ManualClock, _ transport: RecordingTransport, jobs: Int) {
      self.clock = clock
      self.transport = transport
      self.jobs = jobs
    }

    func receive(atMost limit: Int, until moment: Moment?) async throws -> [Delivery] {
      while ProducerRepeatTests.submits(transport.sent(to: ProducerRepeatTests.aggregator)).map(\.jobs.count)
        .reduce(0, +) < jobs
      {
        await Task.yield()
      }
      let word = words.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      guard let word else { throw CancellationError() }
      clock.advance(byMilliseconds: 600)
      return await word().map { [.envelope(Envelope.said($0))] } ?? []
    }

    func note(_ notice: LaneNotice) async {}
    func close() async {}
  }

  private static func submits(_ messages: [Message]) -> [Submit] {
    messages.compactMap { if case .submit(let submit) = $0 { submit } else { nil } }
  }

  private static func cancelled(_ messages: [Message]) -> [[UInt64]] {
    messages.compactMap {
      if case .cancel(let cancel) = $0, case .jobs(_, let ordinals) = cancel.scope { ordinals } else { nil }
    }
  }

  /// What is sent to the aggregator while it says these.
  private func sent(
    while words: [@Sendable (Producer) async -> Message?], jobs: Int,
    end: any Error.Type = CancellationError.self
  ) async throws -> [Message] {
    let clock = ManualClock(isStepping: true)
    let transport = RecordingTransport()
    let inbox = TalkativeInbox(clock, transport, jobs: jobs)
    var settings = ProducerSettings(batch: Self.batch)
    settings.timeoutMilliseconds = 60_000
    let producer = Producer(
      settings: settings, inbox: inbox, aggregator: Self.aggregator,
      ports: RolePorts(transport: transport, clock: clock, random: .seeded(1)))
    inbox.words.withLock { $0 = words.map { word in { await word(producer) } } }
    let feed = ListFeed(.unfurl, (0..<jobs).map { "http://a.test/\($0)" })
    let error = await #expect(throws: (any Error).self) { try await producer.run(feed) { _ in } }
    #expect(error.map { type(of: $0) == end } == true, "\(String(describing: error))")
    return transport.sent(to: Self.aggregator)
  }

  private static func progress(_: Producer) async -> Message {
    let ask = Ask(ProgressQuestion(of: batch), replyTo: aggregator, id: UUIDv7(high: 5, low: 1))
    return .tell(Tell(to: ask, at: Moment(unixMilliseconds: 0), nil as BatchProgress?))
  }

  private static func progress(in lineage: UInt64) -> Message {
    let ask = Ask(ProgressQuestion(of: batch), replyTo: aggregator, id: UUIDv7(high: 5, low: 1))
    var progress = BatchProgress(total: 1, rows: 0, settled: 0)
    progress.lineage = lineage
    return .tell(Tell(to: ask, at: Moment(unixMilliseconds: 0), progress))
  }

  private static func receipt(_ sequence: UInt32, in lineage: UInt64) -> Message {
    var receipt = Receipt(batch: batch, sequence: sequence, inserted: 1)
    receipt.lineage = lineage
    return .receipt(receipt)
  }

  private static func silence(_: Producer) async -> Message? { nil }

  private static func row(_ ordinal: UInt64) -> Message {
    let row = NumberedRow(number: ordinal + 1, ordinal: ordinal, failure: nil, json: Array("{}".utf8))
    return .answer(.rows(of: batch, after: ordinal, [row]))
  }

  @Test func `a submission without a receipt is sent again, whatever else comes`() async throws {
    let words: [@Sendable (Producer) async -> Message?] = Array(repeating: Self.progress, count: 6)
    let sent = try await sent(while: words, jobs: 1)
    let times = Self.submits(sent).count { !$0.jobs.isEmpty }
    #expect((2...4).contains(times))
  }

  @Test func `a cancelled job is cancelled again until its row has come`() async throws {
    let sent = try await sent(
      while: [
        { producer in
          await producer.cancel([0])
          return await Self.progress(producer)
        }, Self.progress, Self.progress, Self.progress, { _ in Self.row(0) }, Self.progress, Self.progress,
        Self.progress, Self.progress,
      ], jobs: 2)
    #expect((2...3).contains(Self.cancelled(sent).count))
    #expect(Set(Self.cancelled(sent)) == [[0]])
  }

  @Test func `a job that has its row is not cancelled any more`() async throws {
    let sent = try await sent(
      while: [
        { _ in Self.row(0) },
        { producer in
          await producer.cancel([0])
          return await Self.progress(producer)
        }, Self.progress, Self.progress, Self.progress,
      ], jobs: 2)
    #expect(Self.cancelled(sent) == [])
  }

  @Test(arguments: [receipt(1, in: 4), progress(in: 4)])
  func `a producer ends when a copy takes the place of the ledger that has its jobs`(sign: Message)
    async throws
  {
    let same: [@Sendable (Producer) async -> Message?] = [
      { _ in Self.progress(in: 4) }, { _ in Self.receipt(0, in: 3) }, { _ in Self.progress(in: 3) },
    ]
    _ = try await sent(while: same, jobs: 1)
    _ = try await sent(while: same + [{ _ in sign }], jobs: 1, end: SubmissionRefused.self)
  }

  @Test func `a producer ends when its batch is gone, unless it has all rows`() async throws {
    let receipt: [@Sendable (Producer) async -> Message?] = [{ _ in Self.receipt(0, in: 3) }]
    _ = try await sent(while: receipt + [Self.progress], jobs: 1, end: SubmissionRefused.self)
    let row: [@Sendable (Producer) async -> Message?] = [{ _ in Self.row(0) }, Self.progress]
    _ = try await sent(while: receipt + row, jobs: 1)
  }

  @Test func `a fleet that says nothing is asked why, as long as a submission has no receipt`() async throws {
    func questions(while words: [@Sendable (Producer) async -> Message?]) async throws -> [String] {
      try await sent(while: words, jobs: 1).compactMap {
        if case .ask(let ask) = $0 { ask.name } else { nil }
      }
    }
    let silences: [@Sendable (Producer) async -> Message?] = Array(repeating: Self.silence, count: 6)
    #expect(Set(try await questions(while: silences)) == [StatusQuestion.name])
    let receipts: [@Sendable (Producer) async -> Message?] = (0..<3).map { sequence in
      { _ in .receipt(Receipt(batch: Self.batch, sequence: sequence, inserted: 1)) }
    }
    #expect(Set(try await questions(while: receipts + silences)) == [ProgressQuestion.name])
  }
}
