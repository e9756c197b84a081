import Assembly
import Halyard
import Pipeline
import PipelineTesting
import Testing
import TransportZeroMQ

/// How the work behind a client ends, and who is told what.
@Suite(.timeLimit(.minutes(10)))
struct ClientEndTests {
  private static let refusal = Failure(.invalidInput, at: .input, "no more of this batch")

  /// Jobs of each batch that get their rows, in bursts, before one more is refused.
  private static let (bursts, each) = (10, 100)

  /// An aggregator that gives each batch the rows of all jobs but one, and refuses it in the same breath.
  private static func serve(_ inbox: any Inbox, _ transport: ZeroMQTransport) async throws {
    var jobs: [BatchID: [Job]] = [:]
    // What is not answered within a second is sent again.
    var seen: Set<String> = []
    var outlets: [BatchID: any Outlet] = [:]
    while true {
      for case .envelope(let envelope) in try await inbox.receive(atMost: 8, until: nil) {
        guard case .submit(let submit) = envelope.message, !submit.jobs.isEmpty,
          seen.insert("\(submit.batch) \(submit.sequence)").inserted
        else { continue }
        let known = outlets[submit.batch]
        let outlet =
          if let known { known } else { try await transport.connect(to: submit.replyTo, notifying: nil) }
        outlets[submit.batch] = outlet
        let batch = jobs[submit.batch, default: []] + submit.jobs
        jobs[submit.batch] = batch
        var receipt = Receipt(
          batch: submit.batch, sequence: submit.sequence, inserted: UInt32(submit.jobs.count))
        guard batch.count == bursts * each + 1 else {
          try await outlet.send([Envelope(.receipt(receipt), secret: envelope.secret)])
          continue
        }
        receipt.refusal = refusal
        let rows = (0..<bursts).map {
          Envelope(Self.rows(of: batch, after: $0 * each), secret: envelope.secret)
        }
        try await outlet.send(rows + [Envelope(.receipt(receipt), secret: envelope.secret)])
      }
    }
  }

  private static func rows(of jobs: [Job], after number: Int) -> Message {
    let rows = jobs[number..<number + each].enumerated().map { index, job in
      NumberedRow(
        number: UInt64(number + index + 1), ordinal: job.ordinal, failure: nil,
        json: Array(#"{"url":"x"}"#.utf8))
    }
    return .answer(.rows(of: jobs[0].batch, after: UInt64(number), rows))
  }

  @Test func `rows that came before the end are told behind it`() async throws {
    let directory = try TemporaryDirectory()
    let transport = try ZeroMQTransport(clock: SystemClock())
    let inbox = try await transport.bind(Address("ipc://\(directory.file("aggregator"))"))
    let aggregator = Task { try await Self.serve(inbox, transport) }
    // Often, because whoever reads the rows may be quick enough to have them before the end.
    for _ in 0..<10 {
      let client = try HalyardClient(fleet: directory.path)
      let tally = Tally(count: Self.bursts * Self.each + 1)
      for number in 0..<tally.count { client.unfurl("http://a.test/").call { tally.add($0, to: number) } }
      try await tally.waitForAll()
      #expect(tally.answers == [Int](repeating: 1, count: tally.count))
      #expect(tally.values == tally.count - 1)
      #expect(tally.kinds == [.invalidInput])
      try await client.end()
    }
    aggregator.cancel()
    await inbox.close()
  }
}
