import Pipeline
import Testing

@Suite struct JobCopyTests {
  private let job = Job(
    batch: BatchID(UUIDv7(high: 1, low: 2)), ordinal: 3, kind: .title, input: "https://example.org/")

  @Test func `what changes in a copy stays as it is in the job`() {
    var copy = job
    #expect(copy == job)
    copy.input = "https://example.com/"
    copy.reading.require.append("title")
    #expect(job.input == "https://example.org/")
    #expect(job.reading.require.isEmpty)
    #expect(copy != job)
    copy.input = job.input
    copy.reading = job.reading
    #expect(copy == job)
    #expect(copy.hashValue == job.hashValue)
  }
}
