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

  /// An aggregator that gives each batch of two jobs the row of one, and refuses it in the same breath.
  private static func serve(_ inbox: any Inbox, _ transport: ZeroMQTransport) async throws {
    var jobs: [BatchID: [Job]] = [:]
    var outlets: [any Outlet] = []
    while true {
      for case .envelope(let envelope) in try await inbox.receive(atMost: 8, until: nil) {
        guard case .submit(let submit) = envelope.message, !submit.jobs.isEmpty else { continue }
        jobs[submit.batch, default: []] += submit.jobs
        guard let batch = jobs[submit.batch], batch.count == 2 else { continue }
        var receipt = Receipt(batch: submit.batch, sequence: submit.sequence, inserted: 0)
        receipt.refusal = refusal
        let outlet = try await transport.connect(to: submit.replyTo, notifying: nil)
        outlets.append(outlet)
        try await outlet.send([Envelope(row(of: batch[0], number: 1)), Envelope(.receipt(receipt))])
      }
    }
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
    let aggregator = Task { try await Self.serve(inbox, transport) }
    // Often, because whoever reads the rows may be quick enough to have them before the end.
    for _ in 0..<100 {
      let client = HalyardClient(fleet: directory.path)
      let answers = (0..<2).map { _ in Channel<Result<Resolved, HalyardError>>(capacity: 1) }
      for answer in answers { client.unfurl("http://a.test/").call { _ = try? answer.offer($0) } }
      #expect(try await answers[0].next("the answer of a row")?.get().url == "http://end.test/1")
      let rest = try await answers[1].next("the answer of a call without a row")?.failure
      #expect(rest?.kind == .invalidInput)
      #expect(rest?.message == Self.refusal.message)
      try await client.end()
    }
    aggregator.cancel()
    await inbox.close()
  }
}
