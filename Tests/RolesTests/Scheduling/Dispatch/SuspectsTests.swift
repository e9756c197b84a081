import Pipeline
import Testing

@testable import Roles

struct SuspectsTests {
  private static let fetcher = WorkerID(UUIDv7(high: 1, low: 1))
  private var suspects = Suspects()

  private static func jobs(_ count: Int) -> [JobID] {
    (0..<UInt64(count)).map { JobID(UUIDv7(high: 3, low: $0)) }
  }

  /// Gives the fetcher as many of the waiting suspects as may run together.
  private mutating func give() -> [JobID] {
    var given: [JobID] = []
    for job in suspects.waiting where suspects.mayRun(job, on: Self.fetcher) {
      suspects.began(job, on: Self.fetcher)
      given.append(job)
    }
    return given
  }

  private mutating func die(of executing: [JobID], waiting: [JobID] = []) -> JobID? {
    let charged = suspects.fetcherDied(executing: executing, waiting: waiting)
    for job in executing + waiting {
      suspects.ended(job, on: Self.fetcher)
      if suspects.knows(job) { suspects.wait(job) }
    }
    return charged
  }

  @Test mutating func `deaths that several jobs share charge none and make their group smaller`() {
    let jobs = Self.jobs(16)
    #expect(die(of: jobs) == nil)
    #expect(suspects.count == 16)
    #expect(give() == jobs, "none waits for another after one death")
    #expect(die(of: jobs) == nil)
    #expect(give() == Array(jobs[0..<4]))
    #expect(die(of: Array(jobs[0..<4])) == nil)
    #expect(give() == Array(jobs[4..<8]), "those in two groups more wait for their turn")
  }

  @Test
  mutating func
    `a suspect on trial that shares its fetcher's death with others is tried again, twice at most`()
  {
    let jobs = Self.jobs(4)
    suspects.wait(jobs[0])
    for other in jobs.dropFirst() {
      let mayBegin = suspects.mayBeTried(
        jobs[0], on: Self.fetcher, isIdle: true, at: Moment(unixMilliseconds: 0))
      #expect(mayBegin)
      suspects.began(jobs[0], on: Self.fetcher)
      #expect(die(of: [jobs[0], other]) == (other == jobs[3] ? jobs[0] : nil))
    }
    for job in jobs { suspects.cleared(job) }
    #expect(suspects.leaks == 0)
  }

  @Test mutating func `a suspect that comes to an end is none any more`() {
    let jobs = Self.jobs(2)
    #expect(die(of: jobs) == nil)
    for job in jobs { suspects.cleared(job) }
    #expect(suspects.leaks == 0)
    #expect(suspects.waiting.isEmpty)
  }

  @Test mutating func `another fetcher takes another group`() {
    let (jobs, other) = (Self.jobs(2), WorkerID(UUIDv7(high: 1, low: 2)))
    #expect(die(of: jobs) == nil)
    #expect(give() == [jobs[0]])
    #expect(suspects.mayRun(jobs[1], on: other))
  }

  @Test mutating func `a job that answers beside silent links is charged once it is a suspect`() {
    let (job, silent) = (Self.jobs(6)[0], Array(Self.jobs(6).dropFirst()))
    #expect(die(of: [job], waiting: silent) == nil)
    #expect(suspects.count == 1)
    for _ in 1...3 { #expect(die(of: [job] + silent) == job) }
    #expect(suspects.count == 1, "links that were silent are taken for silent when they are given out again")
  }

  @Test
  mutating func `a suspect that waits for its server is not charged before it has been in three deaths`() {
    let job = Self.jobs(1)[0]
    #expect(die(of: [job]) == job)
    for _ in 1...3 { #expect(die(of: [], waiting: [job]) == nil) }
    #expect(die(of: [], waiting: [job]) == job)
  }

  @Test mutating func `a job that shares a second death with a suspect becomes one`() {
    let jobs = Self.jobs(3)
    #expect(die(of: [jobs[0]]) == jobs[0])
    #expect(die(of: jobs) == jobs[0])
    #expect(suspects.count == 1)
    #expect(die(of: jobs) == jobs[0])
    #expect(suspects.count == 3)
  }
}
