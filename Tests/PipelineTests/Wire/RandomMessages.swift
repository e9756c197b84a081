import PipelineTesting

@testable import Pipeline

/// Envelopes of every message with contents that vary: empty, long, foreign, extreme.
struct RandomMessages {
  var random: SeededGenerator

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  static let messageCount = 19

  /// - Parameter index: Which message, from 0 to `messageCount - 1`.
  mutating func envelope(_ index: Int) -> Envelope {
    Envelope(
      message(index), laneSequence: number(), secret: LaneSecret(high: number(), low: number()))
  }

  mutating func message(_ index: Int) -> Message {
    switch index {
    case 0: .hello(hello())
    case 1:
      .roster(
        Roster(
          decoders: list { Roster.Peer(worker: $0.worker(), address: $0.address()) })
      )
    case 2: .credit(Credit(from: worker(), granted: number(), finished: tokens()))
    case 3: .submit(submit())
    case 4:
      .receipt(receipt())
    case 5: .job(order())
    case 6: .document(document())
    case 7: .result(result())
    case 8: .ack(Ack(tokens: tokens()))
    case 9:
      .giveBack(
        GiveBack(
          from: worker(), tokens: tokens(), executing: small(), reason: flag() ? .draining : .peerLost,
          peer: maybe { $0.worker() }))
    case 10: .cancel(Cancel(scope(), cause: text()))
    case 11: .drain
    case 12: .bye(Bye(worker: worker()))
    case 13:
      .query(Query(replyTo: address(), question()))
    case 14: .answer(answer())
    case 15: .hostSlotRequest(slotRequest())
    case 16: .ask(ask())
    case 17: .tell(tell())
    default:
      .hostSlotGrant(
        HostSlotGrant(
          token: LeaseToken(number(), seal: number()), number: small(), refusal: maybe { $0.failure() }))
    }
  }
}

extension RandomMessages {
  mutating func hello() -> Hello {
    var hello = Hello(
      worker: worker(), role: pick([.producer, .aggregator, .fetcher, .decoder]), locality: text(),
      address: address(), granted: number(), received: number(), held: tokens(), executing: tokens(),
      messages: number())
    hello.program = maybe { random in
      WorkerProgram(
        version: "1.\(random.small())", wire: UInt16(truncatingIfNeeded: random.small()),
        process: UInt32(truncatingIfNeeded: random.number()))
    }
    hello.sandbox = maybe { $0.pick(WorkerSandbox.allCases) }
    return hello
  }

  mutating func slotRequest() -> HostSlotRequest {
    var request = HostSlotRequest(
      from: worker(), token: LeaseToken(number(), seal: number()), number: small(), host: text())
    request.isUnderWay = flag()
    return request
  }

  mutating func submit() -> Submit {
    Submit(
      batch: batch(), sequence: small(), replyTo: address(), jobs: list { $0.job() },
      total: maybe { $0.number() }, terms: maybe { $0.terms() })
  }

  mutating func terms() -> BatchTerms {
    var terms = BatchTerms(name: maybe { $0.text() })
    (terms.weight, terms.atMost) = (maybe { $0.small() }, maybe { $0.small() })
    terms.perHour = maybe { $0.small() }
    terms.startsAt = maybe { Moment(unixMilliseconds: Int64($0.small())) }
    terms.deadline = maybe { Moment(unixMilliseconds: Int64($0.small())) }
    return terms
  }

  mutating func receipt() -> Receipt {
    var receipt = Receipt(
      batch: batch(), sequence: small(), inserted: small(),
      differing: maybe { DifferingJobs(count: $0.small(), first: $0.number()) })
    receipt.refusal = maybe { $0.failure() }
    return receipt
  }

  mutating func order() -> JobOrder {
    var order = JobOrder(job: job(), lease: lease())
    order.isSuspect = flag()
    order.trace = list {
      TracePoint(
        role: $0.pick([.aggregator, .fetcher, .decoder]), microseconds: Int64(bitPattern: $0.number()))
    }
    order.continuation = maybe { $0.continuation() }
    order.caching = maybe { CachePolicy(known: $0.validators()) }
    return order
  }

  mutating func continuation() -> Continuation {
    var continuation = Continuation(
      url: text(), hops: bytes(), visits: list { $0.number() }, cookies: list { $0.text() }, hasLeft: flag(),
      elapsedMilliseconds: small())
    continuation.oembed = maybe { random in
      OEmbedContinuation(
        members: random.bytes(), card: random.bytes(), failure: random.maybe { $0.failure() },
        caching: random.maybe { $0.note() })
    }
    return continuation
  }

  mutating func result() -> JobResult {
    var result = JobResult(
      job: JobID(uuid()), sender: worker(), lease: lease(), failure: maybe { $0.failure() },
      failedHost: maybe { $0.text() }, members: bytes(), milliseconds: small())
    result.standsAnyway = flag()
    result.sideFailure = maybe { $0.failure() }
    result.continuation = maybe { $0.continuation() }
    result.caching = maybe { $0.note() }
    return result
  }

  mutating func document() -> Document {
    var document = Document(
      order: order(), sender: worker(), url: text(), failure: maybe { $0.failure() },
      contentType: maybe { $0.text() }, truncated: flag(), elapsedMilliseconds: small(), members: bytes(),
      body: bytes())
    document.isCapped = flag()
    document.continuation = maybe { $0.continuation() }
    document.waitedMilliseconds = flag() ? small() : 0
    document.caching = maybe { $0.note() }
    document.note = ResponseNote(
      disposition: maybe { $0.text() }, language: maybe { $0.text() }, length: maybe { UInt64($0.small()) },
      isChallenge: flag(), links: Array(list { $0.text() }.prefix(ResponseNote.mostLinks)))
    return document
  }

  mutating func note() -> CacheNote {
    CacheNote(isOfFailure: flag(), validators: validators(), isUnchanged: flag())
  }

  mutating func validators() -> Validators? {
    Validators(url: text(), entityTag: maybe { $0.text() }, lastModified: maybe { $0.text() })
  }

  mutating func scope() -> Cancel.Scope {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: .leases(tokens())
    case 1: .waiting(batch())
    case 2: .jobs(of: batch(), tokens().map(\.value))
    default: .all(batch())
    }
  }

  mutating func row() -> NumberedRow {
    NumberedRow(
      number: number(), ordinal: number(), failure: maybe { $0.pick(FailureKind.allCases) }, json: bytes())
  }

  mutating func job() -> Job {
    var job = Job(
      batch: batch(), ordinal: number(), kind: pick(JobKind.allCases), input: maybe { $0.text() })
    job.ref = maybe { $0.text() }
    job.reading = Reading(
      select: maybe { $0.text() }, require: list { $0.text() }, unwraps: flag(), wantsEmbed: flag())
    (job.reading.call, job.reading.recipe) = (maybe { $0.text() }, maybe { $0.text() })
    job.reading.parameters = list { $0.text() }
    (job.reading.headers, job.reading.language) = (list { $0.text() }, maybe { $0.text() })
    job.reading.accepts = list { $0.pick(["404", "200..=299"]) }.compactMap { StatusRange($0) }
    job.kept = list { KeptColumn($0.text(), $0.text()) }
    job.origin = maybe { random in
      LinkOrigin(
        file: random.maybe { $0.text() }, line: Int(UInt32(truncatingIfNeeded: random.number())),
        column: Int(UInt32(truncatingIfNeeded: random.number())), text: random.maybe { $0.text() })
    }
    job.deadline = maybe { Moment(unixMilliseconds: Int64(bitPattern: $0.number() | 1)) }
    job.refusal = maybe { $0.failure() }
    return job
  }

  mutating func failure() -> Failure {
    Failure(
      pick(FailureKind.allCases), at: pick(Stage.allCases), text(), retryable: flag(),
      retryAfterMilliseconds: maybe { Int64($0.number() >> 1) })
  }
}

extension RandomMessages {
  mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &random)]
  }

  mutating func flag() -> Bool { Bool.random(using: &random) }

  mutating func number() -> UInt64 {
    pick([0, 1, 255, 256, .max, .random(in: 0 ... .max, using: &random)])
  }

  mutating func small() -> UInt32 { UInt32(truncatingIfNeeded: number()) }

  mutating func maybe<Value>(_ make: (inout RandomMessages) -> Value) -> Value? {
    flag() ? make(&self) : nil
  }

  mutating func list<Value>(_ make: (inout RandomMessages) -> Value) -> [Value] {
    (0..<pick([0, 1, 2, 5])).map { _ in make(&self) }
  }

  mutating func text() -> String {
    pick([
      "", "a", "plain ASCII text", "Zürich, 東京, Ελλάδα", "👩‍👩‍👧‍👦e\u{301}\u{0}\r\n", "\u{FFFD}\u{FEFF}\u{10FFFF}",
      String(repeating: "long ", count: 60),
    ])
  }

  mutating func bytes() -> [UInt8] {
    (0..<pick([0, 1, 7, 64, 300])).map { _ in .random(in: 0...255, using: &random) }
  }

  mutating func tokens() -> [LeaseToken] { list { LeaseToken($0.number(), seal: $0.number()) } }
  mutating func uuid() -> UUIDv7 { UUIDv7(high: number(), low: number()) }
  /// All zeros mean none.
  mutating func wish() -> UUIDv7 { UUIDv7(high: number() | 1, low: number()) }
  mutating func worker() -> WorkerID { WorkerID(uuid()) }
  mutating func batch() -> BatchID { BatchID(uuid()) }
  mutating func address() -> Address { Address(text()) }
  mutating func lease() -> Lease {
    Lease(token: LeaseToken(number(), seal: number()), attempt: UInt16(truncatingIfNeeded: number()))
  }
}
