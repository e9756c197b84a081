import Pipeline
import Testing

@Suite(.timeLimit(.minutes(1)))
struct JobQueryTests {
  private static let now = Moment(unixMilliseconds: 1_000)
  private static let batch = BatchID(UUIDv7(high: 0x7000, low: 1 << 63))
  private static let other = BatchID(UUIDv7(high: 0x7001, low: 1 << 63))

  private static func job(
    _ state: JobLife.State, in batch: BatchID = batch, host: String = "a.test", deadline: Moment? = nil
  ) -> LedgerJob {
    var job = Job(batch: batch, ordinal: 7, kind: .unfurl, input: "http://a.test/")
    job.deadline = deadline
    return LedgerJob(job, life: JobLife(state: state, attempts: 0, crashes: 0), host: host, at: now)
  }

  private static let late = now.advanced(byMilliseconds: 1)
  /// Each with the name by which a case below says that it is wanted.
  private static let jobs: [(name: String, job: LedgerJob)] = [
    ("waiting", job(.waiting)), ("ready", job(.ready)), ("leased", job(.leased(LeaseToken(1)))),
    ("due", job(.scheduled(now))), ("later", job(.scheduled(late))), ("done", job(.over(.done))),
    ("overdue", job(.waiting, deadline: now)), ("in time", job(.ready, deadline: late)),
    ("over in time", job(.over(.dead), deadline: now)), ("other batch", job(.ready, in: other)),
    ("other host", job(.ready, host: "b.test")),
  ]
  private static let open = Set(jobs.map(\.name)).subtracting(["done", "over in time"])

  @Test(
    arguments: [
      (.waiting, ["waiting", "overdue"]), (.ready, ["ready", "in time", "other batch", "other host"]),
      (.leased, ["leased"]), (.due(by: now), ["due"]), (.overdue(at: now), ["overdue"]),
      (.of(batch), open.subtracting(["other batch"])), (.of(other), ["other batch"]),
      (.atHost("a.test", of: batch), ["ready", "in time"]),
      (.ids([JobID(batch: other, ordinal: 7)]), ["other batch"]), (.ids([]), []),
    ] as [(JobQuery.What, Set<String>)])
  func `a query wants the jobs that it names, and none that is over`(
    what: JobQuery.What, names: Set<String>
  ) {
    let query = JobQuery(what)
    #expect(Set(Self.jobs.filter { query.wants($0.job) }.map(\.name)) == names)
  }

  @Test func `a batch's jobs are a range of ids, and a page begins behind a place in it`() throws {
    let query = JobQuery(.of(Self.other))
    let ids = [0, 7, .max].map { JobID(batch: Self.other, ordinal: $0) }
    let (start, end) = (try #require(query.start), try #require(query.end))
    #expect(ids.allSatisfy { $0 > start && $0 <= end })
    #expect(JobID(batch: Self.batch, ordinal: .max) <= start)
    #expect(JobQuery(.of(Self.other), after: ids[1]).start == ids[1])
    #expect(JobQuery(.of(Self.other), after: JobID(batch: Self.batch, ordinal: 3)).start == start)
    #expect(JobQuery(.ready, after: ids[1]).start == ids[1])
    #expect(JobQuery(.ready).start == nil)
    #expect(JobQuery(.ready).end == nil)
  }
}
