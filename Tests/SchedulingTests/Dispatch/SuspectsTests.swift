import Pipeline
import Testing

@testable import Scheduling

struct SuspectsTests {
  private static let fetcher = WorkerID(UUIDv7(high: 1, low: 1))

  private static func jobs(_ count: Int) -> [JobID] {
    (0..<UInt64(count)).map { JobID(UUIDv7(high: 3, low: $0)) }
  }

  /// Gives a fetcher as many of the waiting suspects as may run together.
  private func give(_ suspects: inout Suspects) -> [JobID] {
    var given: [JobID] = []
    for job in suspects.waiting where suspects.mayRun(job, on: Self.fetcher) {
      suspects.began(job, on: Self.fetcher)
      given.append(job)
    }
    return given
  }

  private func die(_ suspects: inout Suspects, of given: [JobID], waiting: [JobID] = []) -> JobID? {
    let charged = suspects.fetcherDied(executing: given, waiting: waiting)
    for job in given + waiting {
      suspects.ended(job, on: Self.fetcher)
      if suspects.knows(job) { suspects.wait(job) }
    }
    return charged
  }

  /// Each of the jobs is the killer once; the other groups come to an end.
  @Test(arguments: [1, 2, 3, 5, 8, 13, 64, 100, 256])
  func `the killer is found in log₂ of the load and three deaths, and no other job is charged`(load: Int) {
    let most = (load == 1 ? 0 : Int.bitWidth - (load - 1).leadingZeroBitCount) + 3
    let jobs = Self.jobs(load)
    for killer in jobs {
      var suspects = Suspects()
      var (deaths, charges) = (1, 0)
      if let charged = die(&suspects, of: jobs) {
        #expect(charged == killer)
        charges += 1
      }
      while charges < Int(JobLife.crashesUntilPoisoned), deaths <= most {
        let given = give(&suspects)
        guard given.contains(killer) else {
          #expect(!given.isEmpty)
          for job in given {
            suspects.ended(job, on: Self.fetcher)
            suspects.cleared(job)
          }
          continue
        }
        deaths += 1
        guard let charged = die(&suspects, of: given) else { continue }
        #expect(charged == killer)
        charges += 1
      }
      #expect(deaths <= most)
      suspects.cleared(killer)
      for job in suspects.waiting { suspects.cleared(job) }
      #expect(suspects.leaks == 0)
    }
  }

  @Test func `two deaths while links wait for their servers make no suspects`() {
    var suspects = Suspects()
    for _ in 1...2 { #expect(die(&suspects, of: [], waiting: Self.jobs(256)) == nil) }
    #expect(suspects.count == 0)
  }

  @Test func `a job that kills although it seems to wait is a suspect after three deaths, and found`() {
    var suspects = Suspects()
    let jobs = Self.jobs(4)
    for _ in 1...3 { #expect(die(&suspects, of: [], waiting: jobs) == nil) }
    #expect(suspects.count == 4)
    let pair = give(&suspects)
    #expect(pair == Array(jobs.prefix(2)))
    suspects.noteIdle(Set(pair), on: Self.fetcher)
    #expect(give(&suspects).isEmpty, "what killed while it seemed to wait is not taken for idle again")
    #expect(die(&suspects, of: [], waiting: pair) == nil)
    #expect(give(&suspects) == Array(jobs.suffix(2)))
    for job in jobs.suffix(2) { suspects.cleared(job) }
    #expect(give(&suspects) == [jobs[0]])
    #expect(die(&suspects, of: [], waiting: [jobs[0]]) == jobs[0])
  }

  @Test func `suspects that wait for their servers let other groups go`() {
    var suspects = Suspects()
    let jobs = Self.jobs(4)
    #expect(die(&suspects, of: jobs) == nil)
    #expect(give(&suspects) == Array(jobs.prefix(2)))
    suspects.noteIdle([jobs[0]], on: Self.fetcher)
    #expect(give(&suspects).isEmpty)
    suspects.noteIdle(Set(jobs.prefix(2)), on: Self.fetcher)
    #expect(give(&suspects) == Array(jobs.suffix(2)))
  }

  @Test func `a death beside a suspect charges the suspect, and a second one tells of the others`() {
    var suspects = Suspects()
    let jobs = Self.jobs(3)
    #expect(die(&suspects, of: [jobs[0]]) == jobs[0])
    #expect(die(&suspects, of: jobs) == jobs[0])
    #expect(suspects.count == 1)
    #expect(die(&suspects, of: jobs) == jobs[0])
    #expect(suspects.count == 3)
  }
}
