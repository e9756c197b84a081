import Pipeline
import PipelineTesting
import Testing

struct RoundTripTests {
  @Test(arguments: 0..<RandomMessages.messageCount)
  func `a message with any contents comes back as it was`(index: Int) throws {
    var messages = RandomMessages(seed: UInt64(index))
    for round in 0..<200 {
      let envelope = messages.envelope(index)
      let isSame = try EnvelopeCodec.decode(EnvelopeCodec.encode(envelope)) == envelope
      try #require(isSame, "round \(round): \(envelope)")
    }
  }

  @Test(arguments: FailureKind.allCases)
  func `every failure comes back from every stage`(kind: FailureKind) throws {
    for stage in Stage.allCases {
      let failure = Failure(kind, at: stage, "no", retryable: true, retryAfterMilliseconds: 0)
      let result = JobResult(
        job: JobID(UUIDv7(high: 1, low: 2)), sender: WorkerID(UUIDv7(high: 3, low: 4)),
        lease: Lease(token: LeaseToken(5), attempt: 6), failure: failure, members: [],
        milliseconds: 7)
      let envelope = Envelope(.result(result))
      #expect(try EnvelopeCodec.decode(EnvelopeCodec.encode(envelope)) == envelope)
    }
  }

  @Test func `long texts and large bodies come back`() throws {
    var job = Job(
      batch: BatchID(UUIDv7(high: 1, low: 2)), ordinal: 0, kind: .decode,
      input: "https://example.org/" + String(repeating: "ß", count: 500_000))
    job.kept = (0..<1_000).map { KeptColumn("column \($0)", String(repeating: "x", count: $0)) }
    let document = Document(
      order: JobOrder(job: job, lease: Lease(token: LeaseToken(1), attempt: 1)),
      sender: WorkerID(UUIDv7(high: 3, low: 4)), url: "", failure: nil, contentType: nil, truncated: false,
      elapsedMilliseconds: 0, members: [], body: [UInt8](repeating: 0xA5, count: 1 << 20))
    let envelope = Envelope(.document(document))
    let isSame = try EnvelopeCodec.decode(EnvelopeCodec.encode(envelope)) == envelope
    #expect(isSame)
  }
}
