import Pipeline
import PipelineTesting
import Posix
import Roles
import Testing
import TransportInProcess

@Suite(.timeLimit(.minutes(10)))
struct RequeuedMeanwhileTests {
  @Test func `a run goes on when a job of it that had its row is requeued`() async throws {
    let clock = ManualClock()
    let ports = RolePorts(
      transport: InProcessTransport(clock: clock), clock: clock, random: Randomness { 0 })
    let batch = BatchID(UUIDv7(high: 1, low: 1))
    let aggregator = try await ports.transport.bind(Address("inproc://aggregator"))
    let inbox = try await ports.transport.bind(Address("inproc://producer"))
    let producer = Producer(
      settings: ProducerSettings(batch: batch), inbox: inbox, aggregator: aggregator.address, ports: ports)
    let written = Lock<[UInt64]>([])
    let run = Task {
      try await producer.run(ListFeed(.title, ["http://a.test/", "http://b.test/"])) { rows in
        written.withLock { $0 += rows.map(\.number) }
      }
    }
    let answers = try await ports.transport.connect(to: inbox.address)
    var isClosed = false
    while !isClosed {
      for case .submit(let submit) in try await aggregator.receive(atMost: 64, until: nil).envelopes.map(
        \.message)
      {
        let receipt = Receipt(batch: batch, sequence: submit.sequence, inserted: UInt32(submit.jobs.count))
        try await answers.send([Envelope.said(.receipt(receipt))])
        isClosed = submit.total != nil
      }
    }
    func row(_ number: UInt64, _ ordinal: UInt64) -> NumberedRow {
      NumberedRow(number: number, ordinal: ordinal, failure: nil, json: Array("{}".utf8))
    }
    // The first job died, was requeued, and has its second row before the other job has its first; the row in between
    // was withdrawn.
    let other = BatchID(UUIDv7(high: 9, low: 9))
    try await answers.send([
      // What is about another batch is nothing.
      Envelope.said(.receipt(Receipt(batch: other, sequence: 0, inserted: 7))),
      Envelope.said(.answer(.rows(of: other, after: 0, [row(1, 0), row(2, 1)]))),
      Envelope.said(.answer(.complete(other, rows: 2))),
      Envelope.said(.answer(.rows(of: batch, after: 0, [row(1, 0)]))),
      Envelope.said(.answer(.rows(of: batch, after: 1, [row(3, 0)]))),
      Envelope.said(.answer(.rows(of: batch, after: 3, [row(4, 1)]))),
      Envelope.said(.answer(.complete(batch, rows: 4))),
    ])
    try await run.value
    #expect(written.withLock { $0 } == [1, 3, 4])
  }
}
