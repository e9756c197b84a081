import FoundationEssentials
import LedgerMemory
import LedgerSQLite
import Pipeline
import PipelineTesting
import Testing

/// Whatever happens, the file answers and holds what the ledger in memory does, whose rules are `JobLife`'s.
@Suite(.timeLimit(.minutes(10)))
struct SameAsMemoryTests {
  /// `HALYARD_STEPS=1000000` walks so many steps in all.
  private static let steps = ProcessInfo.processInfo.environment["HALYARD_STEPS"].flatMap(UInt64.init)
  private static let stepsOfWalk: UInt64 = 600
  private static let walks = 0..<((steps ?? 4_800) / stepsOfWalk + 1)

  @Test(arguments: walks)
  func `events of chance have the same answers and leave the same ledger`(seed: UInt64) async throws {
    var events = RandomEvents(seed: seed)
    let directory = try TemporaryDirectory()
    var file = try await SQLiteLedger.open(path: directory.file("a.ledger"))
    let memory = MemoryLedger()
    var (lives, term) = (KnownLives(), LedgerTerm.none)
    for round in 0..<60 {
      let place: Comment = "seed \(seed), round \(round)"
      let turn = events.turn()
      if events.takesOver() {
        let old = term
        let (left, same) = (
          try await takeOver(file, as: events.holder), try await takeOver(memory, as: events.holder)
        )
        term = left.term
        try #require(same.term == term && same.lastToken == left.lastToken, place)
        try #require(same.lastSeen == left.lastSeen, place)
        for ledger in [file, memory] as [any Ledger] {
          let error = await #expect(throws: LedgerError.self) {
            try await ledger.commit(turn, under: old, at: RandomEvents.now)
          }
          try #require(error?.kind == .fenced, place)
        }
      }
      let expected = try await memory.commit(turn, under: term, at: RandomEvents.now)
      let answers = try await file.commit(turn, under: term, at: RandomEvents.now)
      try #require(answers == expected, "seed \(seed), round \(round): \(turn)")
      try #require(lives.take(turn, answers) == [], place)
      let open = try await file.openJobs()
      try #require(lives.open == Dictionary(open.map { ($0.id, $0.life) }) { $1 }, place)
      events.saw(turn, answers)
      if round % 20 == 19 {
        await file.close()
        file = try await SQLiteLedger.open(path: directory.file("a.ledger"))
      }
      try await compare(file, memory, events, "seed \(seed), round \(round)")
    }
  }

  @Test func `rows of more batches than are looked at in one step are read to their end`() async throws {
    let batches = (0..<250).map { BatchID(UUIDv7(high: 7, low: 1 << 63 | UInt64($0) << 40)) }
    let jobs = batches.map { Job(batch: $0, ordinal: 0, kind: .echo, input: nil) }
    let ends = jobs.map {
      LedgerEvent.settle(Settlement(of: $0, lease: nil, end: .done, failure: nil, row: Array("row".utf8)))
    }
    let directory = try TemporaryDirectory()
    let file = try await SQLiteLedger.open(path: directory.file("a.ledger"))
    for ledger in [file, MemoryLedger()] as [any Ledger] {
      _ = try await ledger.commit([.submit(jobs)] + ends, at: RandomEvents.now)
      var (rows, place) = (0, RowPlace?.some(.first))
      while let after = place {
        let page = try await ledger.storedRows(of: nil, after: after, limit: 1_000, bytes: .max)
        (rows, place) = (rows + page.items.count, page.next)
      }
      #expect(rows == batches.count)
    }
  }

  private func takeOver(_ ledger: any Ledger, as holder: UUIDv7) async throws -> Inheritance {
    let later = RandomEvents.now.advanced(byMilliseconds: 10)
    return try await ledger.takeOver(as: holder, at: later, longestPause: 1_000)
  }

  private func compare(
    _ file: SQLiteLedger, _ memory: MemoryLedger, _ events: RandomEvents, _ place: Comment
  ) async throws {
    for selection in events.selections {
      let open = try await file.page(JobQuery(selection)).items
      let expected = await memory.page(JobQuery(selection)).items
      try #require(open.map(\.job) == expected.map(\.job), place)
      try #require(open.map(\.life) == expected.map(\.life), place)
      try #require(open.map(\.state.worker) == expected.map(\.state.worker), place)
    }
    try await compareSummaries(file, memory, events, place)
    for batch in events.batches {
      let confirmed = events.confirmed[batch] ?? 0
      let rows = try await file.rows(of: batch, after: confirmed, limit: .max, bytes: .max)
      let same = await rows == memory.rows(of: batch, after: confirmed, limit: .max, bytes: .max)
      try #require(same, place)
      let progress = try await file.progress(of: batch)
      let expected = await memory.progress(of: batch)
      try #require(progress == expected, place)
    }
    let shares = try await file.shares()
    let expectedShares = await memory.shares()
    try #require(shares == expectedShares, place)
    let owner = try await file.owner()
    let expectedOwner = await memory.owner()
    try #require(owner == expectedOwner, place)
  }

  /// Memory forgets dead letters whose rows are confirmed; all others are the same.
  private func compareSummaries(
    _ file: SQLiteLedger, _ memory: MemoryLedger, _ events: RandomEvents, _ place: Comment
  ) async throws {
    let dead = try await file.deadJobs(of: nil, after: nil, limit: .max)
    let remembered = try await memory.deadJobs(of: nil, after: nil, limit: .max)
    let others = Set(dead).subtracting(remembered)
    try #require(others.isSubset(of: events.forgotten), place)
    var summary = try await file.summary(batches: 9)
    let expected = await memory.summary(batches: 9)
    try #require(summary.jobs.dead == dead.count, place)
    summary.jobs.dead -= others.count
    try #require(summary == expected, place)
  }
}

/// Turns of events on a few jobs, so that most of them meet, and some come too late.
private struct RandomEvents {
  static let now = Moment(unixMilliseconds: 1_700_000_000_000)
  let batches = (1...2 as ClosedRange<Int64>).map {
    BatchID(UUIDv7(at: Moment(unixMilliseconds: $0), uniqueHigh: 0, uniqueLow: 0))
  }
  private(set) var confirmed: [BatchID: UInt64] = [:]
  private var random: SeededGenerator
  private var token: UInt64 = 0
  private var round: UInt64 = 0
  private var over: Set<JobID> = []
  /// Jobs of which memory may know nothing any more.
  private(set) var forgotten: Set<JobID> = []

  var selections: [JobQuery.What] {
    [.waiting, .ready, .leased, .due(by: Self.now), .overdue(at: Self.now)]
      + batches.map { .of($0) }
  }

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  /// Rows are confirmed in turns of their own: memory forgets such jobs and would take them again.
  mutating func turn() -> [LedgerEvent] {
    round += 1
    if round.isMultiple(of: 7) {
      return batches.map { .confirmRows($0, upTo: .random(in: 0...round / 2, using: &random)) }
    }
    return (0..<Int.random(in: 1...25, using: &random)).map { _ in event() }
  }

  mutating func saw(_ turn: [LedgerEvent], _ answers: [LedgerAnswer]) {
    for (event, answer) in zip(turn, answers) where answer == .applied {
      if case .settle(let settlement) = event { over.insert(settlement.job) }
      if case .confirmRows(let batch, let number) = event {
        confirmed[batch] = number
        forgotten = over
      }
    }
  }

  private mutating func event() -> LedgerEvent {
    switch Int.random(in: 0..<26, using: &random) {
    case 0..<3:
      .submit(
        (0..<Int.random(in: 0...4, using: &random)).map { _ in job() }.filter { !forgotten.contains($0.id) })
    case 3..<8: .grant(job().id, Lease(token: next(), attempt: attempt()), to: WorkerID(batches[0].uuid))
    case 8..<11: .settle(settlement())
    case 11..<13: .retry(job().id, aToken(), at: aMoment(), cause: Failure(.timeout, at: .body, "slow"))
    case 13..<15: .becameDue(job().id)
    case 15..<17: .giveBack(job().id, aToken())
    case 17..<18: .crash(job().id, aToken())
    case 18..<19: .absolve(job().id, from: UInt8.random(in: 0...2, using: &random))
    case 19..<21: .requeue(requeued())
    case 21: .seen(WorkerID(UUIDv7(high: 0x7000, low: .random(in: 0...3, using: &random))))
    case 22: .terms(batch(), terms())
    case 23: .pause(scope(), pause())
    case 24: .unpause(scope(), dueBy: Bool.random(using: &random) ? aMoment() : nil)
    default: .close(batch(), total: .random(in: 0...20, using: &random))
    }
  }

  /// Another aggregator takes over before this turn.
  mutating func takesOver() -> Bool { Int.random(in: 0..<10, using: &random) == 0 }
  var holder: UUIDv7 { UUIDv7(high: 0x7000, low: round) }

  private mutating func batch() -> BatchID { batches[Int.random(in: 0..<batches.count, using: &random)] }

  private mutating func terms() -> BatchTerms {
    var terms = BatchTerms(name: Bool.random(using: &random) ? "a" : nil)
    terms.weight = Bool.random(using: &random) ? .random(in: 1...3, using: &random) : nil
    terms.startsAt = Bool.random(using: &random) ? aMoment() : nil
    return terms
  }

  private mutating func pause() -> Pause {
    Pause(
      by: "ann@box", reason: Bool.random(using: &random) ? "why" : nil, at: aMoment(),
      lastsMilliseconds: Bool.random(using: &random) ? .random(in: 1...3, using: &random) : nil)
  }

  private mutating func scope() -> PauseScope {
    [.all, .host("a.test"), .batch(batch())][Int.random(in: 0..<3, using: &random)]
  }

  private mutating func attempt() -> UInt16 { .random(in: 1...3, using: &random) }
  private mutating func aToken() -> LeaseToken {
    LeaseToken(token - min(token, .random(in: 0...6, using: &random)))
  }

  private mutating func next() -> LeaseToken {
    token += 1
    return LeaseToken(token)
  }

  /// Sometimes past, sometimes to come.
  private mutating func aMoment() -> Moment {
    Self.now.advanced(byMilliseconds: .random(in: -2...2, using: &random))
  }

  /// A job that memory would know, dead or not.
  private mutating func requeued() -> JobID {
    let id = job().id
    return forgotten.contains(id) ? JobID(batch: batches[0], ordinal: .max) : id
  }

  private mutating func job() -> Job {
    let ordinal = round / 8 + .random(in: 0...7, using: &random)
    // A run waits for its calls.
    var job = Job(
      batch: batch(), ordinal: ordinal, kind: ordinal.isMultiple(of: 5) ? .run : .unfurl,
      input: "http://a.test/")
    job.deadline = Bool.random(using: &random) ? aMoment() : nil
    return job
  }

  private mutating func settlement() -> Settlement {
    let ends: [(JobLife.End, FailureKind?)] = [(.done, nil), (.dead, .dns), (.cancelled, .cancelled)]
    let (end, failure) = ends[Int.random(in: 0..<3, using: &random)]
    let lease = Bool.random(using: &random) ? Lease(token: aToken(), attempt: attempt()) : nil
    return Settlement(
      of: job(), lease: lease, end: end, failure: failure, row: Array("row \(token)".utf8))
  }
}

/// What `JobLife` alone makes of the same events.
private struct KnownLives {
  private var lives: [JobID: (life: JobLife, first: JobLife)] = [:]

  var open: [JobID: JobLife] { lives.mapValues(\.life).filter { !$0.value.isOver } }

  /// - Returns: The events that were answered in another way than lives answer.
  mutating func take(_ events: [LedgerEvent], _ answers: [LedgerAnswer]) -> [String] {
    // What comes in is first in its commit.
    for case .submit(let jobs, hosts: _, links: _, from: _) in events {
      for job in jobs where lives[job.id] == nil { lives[job.id] = (job.firstLife, job.firstLife) }
    }
    return zip(events, answers).compactMap { event, answer in
      guard let applies = take(event), applies != (answer == .applied) else { return nil }
      return "\(event): \(answer)"
    }
  }

  /// - Returns: nil for what is no job's.
  private mutating func take(_ event: LedgerEvent) -> Bool? {
    switch event {
    case .grant(let job, let lease, let worker): take(.granted(lease, to: worker), job)
    case .settle(let end): take(.ended(end), end.job)
    case .retry(let job, let token, at: let moment, let cause):
      take(.failedForNow(token, until: moment, cause), job)
    case .becameDue(let job): take(.becameDue, job)
    case .giveBack(let job, let token): take(.returned(token), job)
    case .crash(let job, let token): take(.crashed(token), job)
    case .absolve(let job, let crashes): take(.absolved(from: crashes), job)
    case .requeue(let job): take(.requeued, job)
    case .submit, .close, .terms, .pause, .unpause, .cancel, .resume, .abandon, .confirmRows, .seen: nil
    }
  }

  private mutating func take(_ event: JobChange.Event, _ job: JobID) -> Bool {
    guard let first = lives[job]?.first else { return false }
    return lives[job]?.life.take(event, isRun: first.state == .waiting) ?? false
  }
}
