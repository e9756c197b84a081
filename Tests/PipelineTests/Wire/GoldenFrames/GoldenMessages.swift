import Pipeline

/// The messages behind the golden frames. Their values never change: a new field gets a new entry.
enum GoldenMessages {
  static let all: [(name: String, envelope: Envelope)] =
    [
      ("hello", Envelope(.hello(hello), secret: secret)),
      ("hello-program", Envelope(.hello(helloOfProgram))),
      ("hello-sandbox", Envelope(.hello(helloOfSandbox))),
      ("roster-many", Envelope(.roster(manyDecoders))),
      ("roster", Envelope(.roster(Roster(decoders: [decoder(1), decoder(2)])))),
      ("host-slot-request", Envelope(.hostSlotRequest(slotRequest))),
      ("host-slot-request-under-way", Envelope(.hostSlotRequest(slotRequestUnderWay))),
      ("host-slot-grant", Envelope(.hostSlotGrant(HostSlotGrant(token: token(99), number: 3)))),
      (
        "host-slot-grant-refused",
        Envelope(.hostSlotGrant(HostSlotGrant(token: token(99), number: 3, refusal: failure)))
      ),
      ("roster-empty", Envelope(.roster(Roster(decoders: [])))),
      ("credit", Envelope(.credit(Credit(from: worker, granted: 300, finished: tokens(7, 9))))),
      (
        "submit",
        Envelope(.submit(Submit(batch: batch, sequence: 0, replyTo: producer, jobs: [job, bareJob])))
      ),
      (
        "submit-reading",
        Envelope(.submit(Submit(batch: batch, sequence: 1, replyTo: producer, jobs: [readingJob, job])))
      ),
      ("submit-wishes", Envelope(.submit(wishesSubmit))),
      (
        "submit-run",
        Envelope(.submit(Submit(batch: batch, sequence: 8, replyTo: producer, jobs: [runJob, job])))
      ),
      ("job-call", Envelope(.job(callOrder), laneSequence: 88)),
      ("document-links", Envelope(.document(linksDocument), laneSequence: 89)),
      ("job-oembed", Envelope(.job(oembedOrder), laneSequence: 86)),
      ("document-oembed", Envelope(.document(oembedDocument), laneSequence: 87)),
      ("result-oembed", Envelope(.result(oembedResult))),
      ("result-side-failure", Envelope(.result(sideResult))),
      ("submit-terms", Envelope(.submit(termsSubmit))),
      ("submit-last", Envelope(.submit(lastSubmit))),
      ("receipt", Envelope(.receipt(Receipt(batch: batch, sequence: 4, inserted: 256)))),
      ("receipt-differing", Envelope(.receipt(differing))),
      ("receipt-refused", Envelope(.receipt(refused))),
      ("job", Envelope(.job(order), laneSequence: 77)),
      ("job-echo", Envelope(.job(echo), laneSequence: 80)),
      ("job-reading", Envelope(.job(readingOrder), laneSequence: 85)),
      ("job-continuation", Envelope(.job(continuationOrder), laneSequence: 81)),
      ("job-caching", Envelope(.job(cachingOrder), laneSequence: 83)),
      ("document-noted", Envelope(.document(notedDocument), laneSequence: 85)),
      ("document-caching", Envelope(.document(cachingDocument), laneSequence: 84)),
      ("result-caching", Envelope(.result(cachingResult(unchanged: false)))),
      ("result-unchanged", Envelope(.result(cachingResult(unchanged: true)))),
      ("document-continuation", Envelope(.document(continuationDocument), laneSequence: 82)),
      ("document", Envelope(.document(document), laneSequence: 78)),
      ("document-failed", Envelope(.document(failedDocument), laneSequence: 79)),
      ("result", Envelope(.result(result(nil)))),
      ("result-continuation", Envelope(.result(continuationResult))),
      ("result-failed", Envelope(.result(result(failure)))),
      ("ack", Envelope(.ack(Ack(tokens: tokens(1, 2, .max))))),
      (
        "give-back-draining",
        Envelope(.giveBack(GiveBack(from: worker, tokens: tokens(5), reason: .draining)))
      ),
      ("give-back-peer-lost", Envelope(.giveBack(peerLost))),
      ("give-back-peer", Envelope(.giveBack(peer))),
      ("cancel-leases", Envelope(.cancel(Cancel(.leases(tokens(3, 4)), cause: "deadline")))),
      ("cancel-waiting", Envelope(.cancel(Cancel(.waiting(batch), cause: "interrupted")))),
      ("cancel-all", Envelope(.cancel(Cancel(.all(batch), cause: "interrupted twice")))),
      ("cancel-jobs", Envelope(.cancel(Cancel(.jobs(of: batch, [0, 7]), cause: "no longer needed")))),
      ("drain", Envelope(.drain)),
      ("bye", Envelope(.bye(Bye(worker: worker)))),
      ("query-rows", query(.rows(of: batch, confirmed: 12, limit: 512))),
      ("query-copies", query(.copies(of: batch, after: 12, limit: 512))),
      ("query-stored-rows", query(.storedRows(of: nil, after: RowPlace(serial: 7, number: 3)))),
      ("query-stored-rows-of-batch", query(.storedRows(of: batch, after: .first))),
      ("answer-rows", Envelope(.answer(.rows(of: batch, after: rows[0].number - 1, rows)))),
      ("answer-rows-after-a-gap", Envelope(.answer(.rows(of: batch, after: 3, rows)))),
      ("answer-complete", Envelope(.answer(.complete(batch, rows: 1_000_000)))),
      (
        "answer-stored-rows",
        Envelope(
          .answer(.storedRows(after: .first, StoredRows(rows, next: RowPlace(serial: 7, number: 4)))))
      ),
      ("roster-fetch-options", Envelope(.roster(rosterOfOptions))),
    ] + questions

  static let pause = Pause(
    by: "ann@box", reason: "maintenance", at: wishDeadline, lastsMilliseconds: 3_600_000)

  static let search: BatchSearch = {
    var search = BatchSearch()
    (search.state, search.name, search.isUnread) = (.open, "invoices", true)
    (search.since, search.before, search.from) = (wishDeadline, wishDeadline, 12)
    return search
  }()

  static let place = JobSearch.Place(serial: 7, through: job.id)

  static let listing: JobListing = {
    var search = JobSearch()
    (search.batch, search.phase, search.kind, search.host) = (batch, .failed, .decode, "example.org")
    (search.since, search.from, search.limit) = (wishDeadline, place, 50)
    return JobListing(search, link: "https://example.org/api?q=ü")
  }()

  static let secret = LaneSecret(high: 0x0011_2233_4455_6677, low: 0x8899_AABB_CCDD_EEFF)
  static let worker = WorkerID(UUIDv7(high: 0x018B_CFE5_6800_7ABC, low: 0x8DEF_0123_4567_89AB))
  static let batch = BatchID(UUIDv7(high: 0x018B_CFE5_6801_7FED, low: 0xBCBA_9876_5432_10FE))
  static let wish = UUIDv7(high: 0x018B_CFE5_6803_7AAA, low: 0x9999_0000_1111_2222)
  static let wishDeadline = Moment(unixMilliseconds: 1_700_000_060_000)
  static let producer = Address("ipc:///run/halyard/producer-17")

  static let hello = Hello(
    worker: worker, role: .fetcher, locality: "rack-7", address: Address("tcp://10.0.0.7:7001"),
    granted: 1_024, received: 900, held: tokens(11, 12, 13), executing: tokens(12))

  static let helloOfProgram: Hello = {
    var told = hello
    told.program = WorkerProgram(
      version: "0.9.1", wire: 256,
      process: 4_711)
    return told
  }()

  static let helloOfSandbox: Hello = {
    var told = hello
    (told.role, told.sandbox) = (.decoder, .filterAndLandlock)
    return told
  }()

  /// More than extensions hold: the others stand in the payload.
  static let manyDecoders = Roster(
    decoders: (0..<34).map { number in
      Roster.Peer(
        worker: WorkerID(UUIDv7(high: 7, low: number)),
        address: Address("ipc:///run/" + String(repeating: "d", count: 480)))
    })

  static let slotRequest = HostSlotRequest(
    from: worker, token: token(99), number: 3, host: "example.org:8080")

  static let slotRequestUnderWay: HostSlotRequest = {
    var underWay = slotRequest
    underWay.isUnderWay = true
    return underWay
  }()

  static let termsSubmit: Submit = {
    var terms = BatchTerms(name: "Montag, früh")
    (terms.weight, terms.atMost, terms.perHour) = (100, 32, 18_000)
    (terms.startsAt, terms.deadline) = (wishDeadline, wishDeadline.advanced(byMilliseconds: 3_600_000))
    return Submit(batch: batch, sequence: 0, replyTo: producer, jobs: [job], terms: terms)
  }()

  static let lastSubmit = Submit(batch: batch, sequence: 3, replyTo: producer, jobs: [], total: 768)

  static let differing = Receipt(
    batch: batch, sequence: 5, inserted: 0, differing: DifferingJobs(count: 50, first: 2))

  static let refused: Receipt = {
    var receipt = Receipt(batch: batch, sequence: 6, inserted: 0)
    receipt.refusal = Failure(.invalidInput, at: .input, "submit: a batch has at most 4294967295 jobs")
    return receipt
  }()

  static let failure = Failure(
    .httpStatus, at: .headers, "fetch http://sho.rt/x: 503 Service Unavailable", retryable: true,
    retryAfterMilliseconds: 120_000)

  static let wishesSubmit = Submit(
    batch: batch, sequence: 7, replyTo: producer, jobs: [bareJob, embedJob, wishesJob, job])

  static let peerLost = GiveBack(
    from: worker, tokens: tokens(21, 22, 23), executing: 2, reason: .peerLost)

  static let peer = GiveBack(
    from: worker, tokens: tokens(24), executing: 1, reason: .peerLost, peer: decoder(2).worker)

  static let progress = BatchProgress(total: 768, rows: 700, settled: 690, failed: 12)
  static let leftProgress: BatchProgress = {
    var progress = BatchProgress(total: nil, rows: 7, settled: 7)
    progress.hasNoProducer = true
    return progress
  }()
  static let endedProgress = BatchProgress(
    total: 768, rows: 700, settled: 690, failed: 12, cancelled: 7, isAbandoned: true)

  static let pruning = ForgettingChoice(batch: batch, end: .dead, unconfirmedToo: true, onlyCounts: true)

  static let pausedProgress: BatchProgress = {
    var progress = BatchProgress(total: 768, rows: 700, settled: 690, isPaused: true)
    progress.pause = KnownPause(.batch(batch), pause)
    return progress
  }()

  static let rows = [
    NumberedRow(number: 13, ordinal: 0, failure: nil, json: Array(#"{"status":"ok"}"#.utf8)),
    NumberedRow(number: 14, ordinal: 5, failure: .dns, json: Array(#"{"status":"failed"}"#.utf8)),
  ]

  static func result(_ failure: Failure?) -> JobResult {
    JobResult(
      job: job.id, sender: worker, lease: Lease(token: token(99), attempt: 2), failure: failure,
      members: Array(#""url":"https://example.org/","title":"Grüße""#.utf8), milliseconds: 148)
  }

  static func query(_ question: Query.Question) -> Envelope {
    Envelope(.query(Query(replyTo: producer, question)))
  }

  static func decoder(_ number: UInt64) -> Roster.Peer {
    Roster.Peer(
      worker: WorkerID(UUIDv7(high: 0x018B_CFE5_6802_7000 + number, low: 0x8000_0000_0000_0000)),
      address: Address("inproc://decoder-\(number)"))
  }

  static func token(_ value: UInt64) -> LeaseToken { LeaseToken(value, seal: 0xFEDC_BA98_7654_3210 ^ value) }

  static func tokens(_ values: UInt64...) -> [LeaseToken] {
    values.map(token)
  }
}
