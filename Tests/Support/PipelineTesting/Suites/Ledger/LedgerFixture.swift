package import LedgerMemory
package import Pipeline
import Testing

/// A ledger with one batch on it, and short words for what happens to it.
struct LedgerFixture {
  let ledger: any Ledger
  var batch = LedgerFixture.batch(1)
  let worker = LedgerFixture.worker(0)
  let now = Moment(unixMilliseconds: 1_700_000_000_000)

  init(_ ledger: any Ledger) {
    self.ledger = ledger
  }

  static func batch(_ number: Int64) -> BatchID {
    BatchID(UUIDv7(at: Moment(unixMilliseconds: number), uniqueHigh: 0, uniqueLow: 0))
  }

  static func worker(_ number: UInt64) -> WorkerID {
    WorkerID(UUIDv7(high: 0x7000, low: 1 << 63 | number))
  }

  func job(_ ordinal: UInt64) -> Job {
    Job(batch: batch, ordinal: ordinal, kind: .title, input: "http://a.test/\(ordinal)")
  }

  func jobs(_ count: Int) -> [Job] { (0..<UInt64(count)).map(job) }

  func lease(_ token: UInt64, attempt: UInt16 = 1) -> Lease {
    Lease(token: LeaseToken(token), attempt: attempt)
  }

  func commit(_ events: [LedgerEvent]) async throws -> [LedgerAnswer] {
    try await ledger.commit(events, at: now)
  }

  func commit(_ event: LedgerEvent) async throws -> LedgerAnswer {
    let answers = try await commit([event])
    try #require(answers.count == 1)
    return answers[0]
  }

  /// Submits a job and leases it under token 1.
  func leasedJob(_ ordinal: UInt64 = 0) async throws -> JobID {
    let job = job(ordinal)
    let answers = try await commit([.submit([job]), .grant(job.id, lease(1), to: worker)])
    try #require(answers == [.inserted(1), .applied])
    return job.id
  }

  /// - Parameter id: Of a job of the fixture's batch.
  func settle(
    _ id: JobID, under lease: Lease?, _ end: JobLife.End = .done, failure: FailureKind? = nil,
    row: String = "{}"
  ) -> LedgerEvent {
    .settle(
      Settlement(of: job(id.ordinalBits), lease: lease, end: end, failure: failure, row: Array(row.utf8)))
  }

  /// Submits that many jobs and settles them in the order of their ordinals.
  func finish(_ count: Int) async throws {
    let jobs = jobs(count)
    let events = [.submit(jobs)] + jobs.map { settle($0.id, under: nil, row: #"{"ordinal":\#($0.ordinal)}"#) }
    let answers = try await commit(events)
    try #require(answers.dropFirst().allSatisfy { $0 == .applied })
  }

  func life(of job: JobID) async throws -> JobLife? {
    try await ledger.openJobs().first { $0.job.id == job }?.life
  }

  func rows(after number: UInt64 = 0, limit: Int = 1_000, bytes: Int = .max) async throws -> [NumberedRow] {
    try await ledger.rows(of: batch, after: number, limit: limit, bytes: bytes)
  }
}

extension Ledger {
  /// All jobs that are not over, in the order of their ids.
  package func openJobs() async throws(LedgerError) -> [LedgerJob] {
    var open: [LedgerJob] = []
    for what in JobQuery.What.allOpen { open += try await page(JobQuery(what)).items }
    return open.sorted { $0.id < $1.id }
  }

  /// What an aggregator finds that starts long after all that tests let happen.
  package func inheritance() async throws(LedgerError) -> Inheritance {
    let later = Moment(unixMilliseconds: 4_000_000_000_000)
    return try await takeOver(as: UUIDv7(high: 6, low: 6), at: later, longestPause: .max / 4)
  }

  package func lastToken() async throws(LedgerError) -> LeaseToken { try await inheritance().lastToken }
  package func lastSeen() async throws(LedgerError) -> [WorkerID: Moment] { try await inheritance().lastSeen }

  /// Dead letters in the order of their ids, from the one after `id`.
  package func deadJobs(
    of batch: BatchID?, after id: JobID?, limit: Int
  ) async throws(LedgerError) -> [JobID] {
    var search = JobSearch()
    (search.batch, search.phase) = (batch, .failed)
    var found: [JobID] = []
    repeat {
      let page = try await jobs(search)
      found += page.items.map(\.job.id)
      search.from = page.next
    } while search.from != nil
    return Array(found.filter { found in id.map { $0 < found } ?? true }.sorted().prefix(limit))
  }

  /// A first step. With fewer than `limit` nothing is left to forget.
  package func forget(
    _ rule: ForgettingRule, before moment: Moment, limit: Int
  ) async throws(LedgerError) -> Int {
    try await forget(rule, before: moment, from: nil, limit: limit).jobs
  }

  /// A step in the name of whoever owns it.
  package func forget(
    _ rule: ForgettingRule, before moment: Moment, from place: RowPlace?, limit: Int
  ) async throws(LedgerError) -> ForgettingStep {
    try await forget(rule, before: moment, from: place, limit: limit, under: try await owner().term)
  }
}

extension MemoryLedger {
  /// All jobs that are not over, in the order of their ids.
  package func openJobs() async -> [LedgerJob] {
    JobQuery.What.allOpen.flatMap { page(JobQuery($0)).items }.sorted { $0.id < $1.id }
  }
}

extension JobQuery.What {
  fileprivate static let allOpen = [Self.waiting, .ready, .leased, .due(by: Moment(unixMilliseconds: .max))]
}
