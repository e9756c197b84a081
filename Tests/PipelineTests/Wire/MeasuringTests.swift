import PipelineTesting
import Testing

@testable import Pipeline

/// What a message takes is known before it is written, and what its makers promise to bound fits.
struct MeasuringTests {
  private static let worker = WorkerID(UUIDv7(high: 1, low: 2))

  @Test(arguments: 0..<RandomMessages.messageCount)
  func `a message is counted as it is written`(index: Int) throws {
    var messages = RandomMessages(seed: UInt64(index))
    for _ in 0..<100 {
      let envelope = messages.envelope(index)
      #expect(
        try EnvelopeCodec.encode(envelope).count == EnvelopeCodec.bytes(of: envelope.message), "\(envelope)")
      #expect(EnvelopeCodec.fits(envelope.message))
    }
  }

  @Test func `a message that is too large is known before it is written`() {
    let members = [UInt8](repeating: 0x20, count: Frame.longestBody)
    let result = JobResult(
      job: JobID(UUIDv7(high: 3, low: 4)), sender: Self.worker,
      lease: Lease(token: LeaseToken(5), attempt: 1), failure: nil, members: members, milliseconds: 1)
    #expect(!EnvelopeCodec.fits(.result(result)))
    let bytes = EnvelopeCodec.bytes(of: .result(result)) - Frame.headerBytes
    #expect(throws: FrameTooLarge(bytes: bytes, limit: Frame.longestBody)) {
      try EnvelopeCodec.check(.result(result))
    }
  }

  @Test func `a walk that no reader would take is not sent`() {
    var result = JobResult(
      job: JobID(UUIDv7(high: 3, low: 4)), sender: Self.worker,
      lease: Lease(token: LeaseToken(5), attempt: 1), failure: nil, members: [], milliseconds: 1)
    result.continuation = Continuation(
      url: "http://a.test/", hops: [UInt8](repeating: 0x20, count: Continuation.mostBytes + 1), visits: [],
      cookies: [], hasLeft: false, elapsedMilliseconds: 0)
    #expect(!EnvelopeCodec.fits(.result(result)))
  }

  @Test(arguments: [0, 1, 100, 150, 5_000])
  func `a roster of any size arrives whole`(count: Int) throws {
    let address = Address("ipc:///" + String(repeating: "d", count: Hello.longestText - 7))
    let roster = Roster(
      decoders: (0..<count).map { number in
        Roster.Peer(worker: WorkerID(UUIDv7(high: 1, low: UInt64(number))), address: address)
      })
    let envelope = Envelope(.roster(roster))
    let isSame = try EnvelopeCodec.decode(EnvelopeCodec.encode(envelope)) == envelope
    #expect(isSame)
  }

  /// Everything beside the body of a message, as large as it may be.
  @Test func `the longest notes, validators, failures and programs fit together`() throws {
    let long = String(repeating: "x", count: 1 << 20)
    let failure = Failure(.dns, at: .dns, long, retryable: true, retryAfterMilliseconds: .max)
    let validators = try #require(
      Validators(
        url: String(repeating: "u", count: 100), entityTag: String(repeating: "e", count: 3_900),
        lastModified: String(repeating: "m", count: 96)))
    let (note, order) = (CacheNote(isOfFailure: true, validators: validators), try order(validators))
    var document = Document(
      order: order, sender: Self.worker, url: long, failure: failure, contentType: long, truncated: true,
      elapsedMilliseconds: .max, members: [], body: [])
    (document.caching, document.waitedMilliseconds) = (note, .max)
    let header = String(repeating: "h", count: ResponseNote.mostBytes)
    document.note = ResponseNote(
      disposition: header, language: header, length: .max, isChallenge: true,
      links: Array(repeating: header, count: ResponseNote.mostLinks))
    #expect(document.note?.links.count == 1)
    var result = JobResult(
      job: order.job.id, sender: Self.worker, lease: order.lease, failure: failure,
      failedHost: String(repeating: "h", count: 300), members: [], milliseconds: .max)
    (result.sideFailure, result.caching) = (failure, note)
    var hello = Hello(
      worker: Self.worker, role: .fetcher, locality: String(repeating: "c", count: Hello.longestText),
      address: Address(String(repeating: "a", count: Hello.longestText)), granted: .max, received: .max,
      messages: .max)
    let name = String(repeating: "n", count: WorkerProgram.longestText)
    hello.program = WorkerProgram(version: name)
    hello.sandbox = .filterAndLandlock
    var receipt = Receipt(batch: order.job.batch, sequence: 1, inserted: 0)
    receipt.refusal = failure
    let messages: [Message] = [
      .document(document), .job(order), .result(result), .hello(hello), .receipt(receipt),
      .hostSlotGrant(HostSlotGrant(token: LeaseToken(1), number: 1, refusal: failure)),
    ]
    for message in messages {
      let isSame = try EnvelopeCodec.decode(EnvelopeCodec.encode(Envelope(message))).message == message
      #expect(isSame)
    }
  }

  private func order(_ validators: Validators) throws -> JobOrder {
    let job = Job(
      batch: BatchID(UUIDv7(high: 5, low: 6)), ordinal: 0, kind: .title, input: "http://a.test/")
    var order = JobOrder(job: job, lease: Lease(token: LeaseToken(1), attempt: 1))
    order.caching = CachePolicy(known: validators)
    return order
  }
}
