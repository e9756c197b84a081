import Pipeline
import PipelineTesting
import Testing

@testable import Roles

/// What a page's decoder hands on for its endpoint.
struct EmbedPlanTests {
  @Test(arguments: [(9_000, 7_000, 2_000), (9_000, 0, 9_000), (10, 20, 0)] as [(UInt32, UInt32, UInt32)])
  func `waiting for turns is not part of the time that is gone for the endpoint`(
    elapsed: UInt32, waited: UInt32, gone: UInt32
  ) throws {
    var job = Job(batch: BatchID(UUIDv7(high: 2, low: 1)), ordinal: 0, kind: .title, input: EmbedFixture.page)
    job.reading.wantsEmbed = true
    var document = Document(
      order: JobOrder(job: job, lease: Lease(token: LeaseToken(1), attempt: 1)),
      sender: WorkerID.numbered(1), url: EmbedFixture.page, failure: nil,
      contentType: "text/html",
      truncated: false, elapsedMilliseconds: elapsed, members: [], body: FetchResponse.naming().body)
    document.waitedMilliseconds = waited
    let reader = DocumentReader(clock: ManualClock(isStepping: true))
    let continuation = try #require(reader.read(document, by: WorkerID.numbered(2)).continuation)
    #expect(continuation.url == EmbedFixture.endpoint)
    #expect(continuation.elapsedMilliseconds == gone)
  }
}
