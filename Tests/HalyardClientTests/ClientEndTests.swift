import ClockPosix
import Halyard
import Pipeline
import PipelineTesting
import Testing
import TransportZeroMQ

/// How the work behind a client ends, and who is told what.
@Suite(.timeLimit(.minutes(2)))
struct ClientEndTests {
  private static let refusal = Failure(.invalidInput, at: .input, "no more of this batch")

  /// An aggregator that gives one row, another when it is told to, and then refuses the batch.
  private static func serve(_ inbox: any Inbox, _ transport: ZeroMQTransport, more: Channel<Void>)
    async throws
  {
    var jobs: [Job] = []
    var last: Submit?
    while jobs.count < 3 {
      for case .envelope(let envelope) in try await inbox.receive(atMost: 8, until: nil) {
        guard case .submit(let submit) = envelope.message else { continue }
        jobs += submit.jobs
        last = submit
      }
    }
    guard let last else { return }
    let outlet = try await transport.connect(to: last.replyTo, notifying: nil)
    try await outlet.send([Envelope(row(of: jobs[0], number: 1))])
    _ = try await more.receive()
    var receipt = Receipt(batch: last.batch, sequence: last.sequence, inserted: 0)
    receipt.refusal = refusal
    try await outlet.send([Envelope(row(of: jobs[1], number: 2)), Envelope(.receipt(receipt))])
    // Until everything has been said.
    _ = try await Channel<Void>(capacity: 0).receive()
  }

  private static func row(of job: Job, number: UInt64) -> Message {
    let json = Array(#"{"input":"\#(job.input ?? "")","url":"http://end.test/\#(number)"}"#.utf8)
    return .answer(
      .rows(
        of: job.batch, after: number - 1,
        [NumberedRow(number: number, ordinal: job.ordinal, failure: nil, json: json)]))
  }

  @Test func `rows that came before the end are told behind it`() async throws {
    let directory = try TemporaryDirectory()
    let transport = try ZeroMQTransport(clock: SystemClock())
    let inbox = try await transport.bind(Address("ipc://\(directory.file("aggregator"))"))
    let more = Channel<Void>(capacity: 1)
    let aggregator = Task { try await Self.serve(inbox, transport, more: more) }
    let client = HalyardClient(fleet: directory.path)
    let answers = Channel<Result<Resolved, HalyardError>>(capacity: .unbounded)
    client.unfurl("http://a.test/").call { answer in
      // Whoever is called back holds up the other rows: the second comes, and then the end, which cancels their reader.
      _ = try? more.offer(())
      while !Task.isCancelled {}
      _ = try? answers.offer(answer)
    }
    for link in ["http://b.test/", "http://c.test/"] {
      client.unfurl(link).call { _ = try? answers.offer($0) }
    }
    for number in 1...2 {
      #expect(try await answers.next("a row's answer")?.get().url == "http://end.test/\(number)")
    }
    let rest = try await answers.next("the answer of a call without a row")?.failure
    #expect(rest?.kind == .invalidInput)
    #expect(rest?.message == Self.refusal.message)
    aggregator.cancel()
    try await client.end()
    await inbox.close()
  }
}
