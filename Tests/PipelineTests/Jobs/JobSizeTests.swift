import Pipeline
import Testing

struct JobSizeTests {
  private func job(caching bytes: Int) -> Job {
    var job = Job(
      batch: BatchID(UUIDv7(high: 1, low: 2)), ordinal: 6, kind: .title, input: "http://a.test/")
    job.ref = "mine"
    job.kept = [KeptColumn("note", String(repeating: "x", count: bytes))]
    return job
  }

  @Test func `a job that fits stays as it is`() {
    // Beside a column that is long, too.
    let nearly = Job.mostBytes - 1_000
    let others = JobRecord.bytes(of: job(caching: nearly)) - nearly
    let largest = job(caching: Job.mostBytes - others)
    #expect(JobRecord.bytes(of: largest) == Job.mostBytes)
    #expect(JobRecord.encode(largest).count == Job.mostBytes - 30)
    #expect(largest.bounded == largest)
  }

  @Test func `a job that is too large is refused, and knows whose it was`() {
    let bounded = job(caching: Job.mostBytes).bounded
    #expect(bounded.refusal?.kind == .invalidInput)
    #expect(bounded.refusal?.message.hasPrefix("read ordinal 6 of its batch: the job takes 2097") == true)
    #expect(bounded.ref == "mine")
    #expect(bounded.input == "http://a.test/")
    #expect(bounded.kept.isEmpty)
    #expect(JobRecord.bytes(of: bounded) < 4_096)
    #expect(bounded.bounded == bounded)
  }
}
