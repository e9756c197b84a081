import Pipeline
import PipelineTesting

/// Envelopes of every message with contents that vary: empty, long, foreign, extreme.
struct RandomMessages {
  var random: SeededGenerator

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  static let messageCount = 17

  /// - Parameter index: Which message, from 0 to `messageCount - 1`.
  mutating func envelope(_ index: Int) -> Envelope {
    Envelope(message(index), laneSequence: number())
  }

  private mutating func message(_ index: Int) -> Message {
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
    case 5: .job(order(slipMayBeDone: false))
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
      .query(
        Query(
          replyTo: address(), question(),
          deadline: maybe { Moment(unixMilliseconds: Int64($0.small()) + 1) }, id: maybe { $0.wish() }))
    case 14: .answer(answer())
    case 15: .hostSlotRequest(slotRequest())
    default:
      .hostSlotGrant(
        HostSlotGrant(token: LeaseToken(number()), number: small(), refusal: maybe { $0.failure() }))
    }
  }
}

extension RandomMessages {
  private mutating func hello() -> Hello {
    var hello = Hello(
      worker: worker(), role: pick([.producer, .aggregator, .fetcher, .decoder]), locality: text(),
      address: address(), granted: number(), received: number(), held: tokens(), executing: tokens(),
      messages: number())
    hello.program = maybe { random in
      WorkerProgram(
        version: "1.\(random.small())", wire: UInt16(truncatingIfNeeded: random.small()),
        options: random.maybe { $0.list { FindingOption(name: "o", hash: $0.number()) } })
    }
    hello.sandbox = maybe { $0.pick(WorkerSandbox.allCases) }
    return hello
  }

  private mutating func slotRequest() -> HostSlotRequest {
    var request = HostSlotRequest(from: worker(), token: LeaseToken(number()), number: small(), host: text())
    request.isUnderWay = flag()
    return request
  }

  private mutating func submit() -> Submit {
    Submit(
      batch: batch(), sequence: small(), replyTo: address(), jobs: list { $0.job() },
      total: maybe { $0.number() }, terms: maybe { $0.terms() })
  }

  private mutating func terms() -> BatchTerms {
    var terms = BatchTerms(name: maybe { $0.text() })
    (terms.weight, terms.atMost) = (maybe { $0.small() }, maybe { $0.small() })
    terms.perHour = maybe { $0.small() }
    terms.startsAt = maybe { Moment(unixMilliseconds: Int64($0.small())) }
    terms.deadline = maybe { Moment(unixMilliseconds: Int64($0.small())) }
    return terms
  }

  private mutating func receipt() -> Receipt {
    var receipt = Receipt(
      batch: batch(), sequence: small(), inserted: small(),
      differing: maybe { DifferingJobs(count: $0.small(), first: $0.number()) })
    receipt.refusal = maybe { $0.failure() }
    return receipt
  }

  private mutating func order(slipMayBeDone: Bool) -> JobOrder {
    let job = job()
    let last = job.slip.steps.count - (slipMayBeDone ? 0 : 1)
    var order = JobOrder(job: job, lease: lease(), step: .random(in: 0...UInt16(last), using: &random))
    order.isSuspect = flag()
    order.trace = list {
      TracePoint($0.pick([.aggregator, .fetcher, .decoder]), at: Int64(bitPattern: $0.number()))
    }
    order.continuation = maybe { $0.continuation() }
    order.caching = maybe { CachePolicy(known: $0.validators()) }
    return order
  }

  private mutating func continuation() -> Continuation {
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

  private mutating func result() -> JobResult {
    var result = JobResult(
      job: JobID(uuid()), sender: worker(), lease: lease(), failure: maybe { $0.failure() },
      failedHost: maybe { $0.text() }, members: bytes(), milliseconds: small())
    result.standsAnyway = flag()
    result.sideFailure = maybe { $0.failure() }
    result.continuation = maybe { $0.continuation() }
    result.caching = maybe { $0.note() }
    return result
  }

  private mutating func document() -> Document {
    var document = Document(
      order: order(slipMayBeDone: true), sender: worker(), url: text(), failure: maybe { $0.failure() },
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

  private mutating func note() -> CacheNote {
    CacheNote(isOfFailure: flag(), validators: validators(), isUnchanged: flag())
  }

  private mutating func validators() -> Validators? {
    Validators(url: text(), entityTag: maybe { $0.text() }, lastModified: maybe { $0.text() })
  }

  private mutating func scope() -> Cancel.Scope {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: .leases(tokens())
    case 1: .waiting(batch())
    case 2: .jobs(of: batch(), tokens().map(\.value))
    default: .all(batch())
    }
  }

  private mutating func question() -> Query.Question {
    switch Int.random(in: 0..<15, using: &random) {
    case 8: .job(JobID(wish()))
    case 9: .jobs(listing())
    case 10: .drain(worker())
    case 11: .scale(pick([.fetcher, .decoder]), to: small())
    case 12: .fetchOptions
    case 13: .pause(pauseScope())
    case 14: .resume(pauseScope())
    case 0: .rows(of: batch(), confirmed: number(), limit: number())
    case 1: .copies(of: batch(), after: number(), limit: number())
    case 2: .status
    case 3: .progress(of: batch())
    case 4: .requeue(batch())
    case 5: .care(task(), isUnderWay: Bool.random(using: &random))
    case 6: .storedRows(of: maybe { $0.batch() }, after: RowPlace(number()))
    default: .cancel(batch(), cause: text())
    }
  }

  private mutating func task() -> LedgerTask {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: .size
    case 1: .copy
    case 2: .shrink
    default:
      .forget(
        ForgettingChoice(
          batch: maybe { $0.batch() }, end: maybe { $0.pick([.done, .dead, .cancelled]) },
          unconfirmedToo: Bool.random(using: &random), onlyCounts: Bool.random(using: &random)),
        olderThanMilliseconds: Int64(small()))
    }
  }

  private mutating func pauseScope() -> PauseScope {
    pick([.all, .host("h\(small()).test"), .batch(batch())])
  }

  private mutating func answer() -> Answer {
    switch Int.random(in: 0..<14, using: &random) {
    case 8: .job(JobID(wish()), maybe { $0.bytes() + [0] })
    case 9: .jobs(bytes(), next: maybe { $0.place() }, to: maybe { $0.wish() })
    case 10: .drained(worker(), pick([.leaving(jobs: small()), .gone, .tooOld]), to: maybe { $0.wish() })
    case 11: .scaled(pick([.fetcher, .decoder]), to: small())
    case 12: .fetchOptions(maybe { $0.fetchOptions() })
    case 13: .pausing(pauseScope(), isPaused: flag(), wasChanged: flag(), to: maybe { $0.wish() })
    case 0: .complete(batch(), rows: number())
    case 1: .status(bytes())
    case 2:
      .progress(
        of: batch(),
        maybe {
          BatchProgress(
            total: $0.maybe { $0.number() }, rows: $0.number(), settled: $0.number(), failed: $0.number(),
            cancelled: $0.number(), isAbandoned: Bool.random(using: &$0.random),
            isPaused: Bool.random(using: &$0.random))
        }, at: maybe { Moment(unixMilliseconds: Int64($0.small()) + 1) })
    case 3: .requeued(batch(), jobs: number(), to: maybe { $0.wish() })
    case 4: .cancelled(batch(), jobs: number(), to: maybe { $0.wish() })
    case 5: .care(bytes(), to: maybe { $0.wish() })
    case 6:
      .storedRows(
        after: RowPlace(number()), StoredRows(rows: list { $0.row() }, next: maybe { RowPlace($0.number()) }))
    default: .rows(of: batch(), after: number(), list { $0.row() })
    }
  }

  private mutating func listing() -> JobListing {
    var search = JobSearch()
    search.batch = maybe { $0.batch() }
    search.phase = maybe { $0.pick(JobPhase.allCases) }
    search.kind = maybe { $0.pick(JobKind.allCases) }
    search.host = maybe { $0.text() }
    search.since = maybe { Moment(unixMilliseconds: Int64($0.small()) + 1) }
    search.limit = Int(small() % 1_000)
    search.from = maybe { $0.place() }
    return JobListing(search, link: maybe { $0.text() })
  }

  private mutating func place() -> JobSearch.Place {
    JobSearch.Place(serial: Int64(small()), through: maybe { JobID($0.wish()) })
  }

  private mutating func fetchOptions() -> FetchOptions {
    FetchOptions(
      given: list { random in
        FetchOptions.Given(name: random.text(), values: random.list { $0.text() })
      },
      marks: list { FindingOption(name: $0.text(), hash: $0.number()) }, hash: number(),
      withheld: list { $0.text() })
  }

  private mutating func row() -> NumberedRow {
    NumberedRow(
      number: number(), ordinal: number(), failure: maybe { $0.pick(FailureKind.allCases) }, json: bytes())
  }

  private mutating func job() -> Job {
    var job = Job(
      batch: batch(), ordinal: number(), kind: pick(JobKind.allCases), input: maybe { $0.text() })
    job.slip = RoutingSlip(
      (0..<pick([1, 2, 5, RoutingSlip.mostSteps])).map { _ in pick([.unfurl, .title, .decode, .echo, .run]) })
    job.ref = maybe { $0.text() }
    job.reading = Reading(
      select: maybe { $0.text() }, require: list { $0.text() }, unwraps: flag(), wantsEmbed: flag())
    (job.reading.call, job.reading.recipe) = (maybe { $0.text() }, maybe { $0.text() })
    job.reading.parameters = list { $0.text() }
    job.kept = list { KeptColumn($0.text(), $0.text()) }
    job.deadline = maybe { Moment(unixMilliseconds: Int64(bitPattern: $0.number() | 1)) }
    job.refusal = maybe { $0.failure() }
    return job
  }

  private mutating func failure() -> Failure {
    Failure(
      pick(FailureKind.allCases), at: pick(Stage.allCases), text(), retryable: flag(),
      retryAfterMilliseconds: maybe { Int64($0.number() >> 1) })
  }
}

extension RandomMessages {
  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &random)]
  }

  private mutating func flag() -> Bool { Bool.random(using: &random) }

  private mutating func number() -> UInt64 {
    pick([0, 1, 255, 256, .max, .random(in: 0 ... .max, using: &random)])
  }

  private mutating func small() -> UInt32 { UInt32(truncatingIfNeeded: number()) }

  private mutating func maybe<Value>(_ make: (inout RandomMessages) -> Value) -> Value? {
    flag() ? make(&self) : nil
  }

  private mutating func list<Value>(_ make: (inout RandomMessages) -> Value) -> [Value] {
    (0..<pick([0, 1, 2, 5])).map { _ in make(&self) }
  }

  private mutating func text() -> String {
    pick([
      "", "a", "plain ASCII text", "Zürich, 東京, Ελλάδα", "👩‍👩‍👧‍👦e\u{301}\u{0}\r\n", "\u{FFFD}\u{FEFF}\u{10FFFF}",
      String(repeating: "long ", count: 60),
    ])
  }

  private mutating func bytes() -> [UInt8] {
    (0..<pick([0, 1, 7, 64, 300])).map { _ in .random(in: 0...255, using: &random) }
  }

  private mutating func tokens() -> [LeaseToken] { list { LeaseToken($0.number()) } }
  private mutating func uuid() -> UUIDv7 { UUIDv7(high: number(), low: number()) }
  /// All zeros mean none.
  private mutating func wish() -> UUIDv7 { UUIDv7(high: number() | 1, low: number()) }
  private mutating func worker() -> WorkerID { WorkerID(uuid()) }
  private mutating func batch() -> BatchID { BatchID(uuid()) }
  private mutating func address() -> Address { Address(text()) }
  private mutating func lease() -> Lease {
    Lease(token: LeaseToken(number()), attempt: UInt16(truncatingIfNeeded: number()))
  }
}
