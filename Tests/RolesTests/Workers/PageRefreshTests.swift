import Pipeline
import PipelineTesting
import Testing

@testable import Roles

struct PageRefreshTests {
  @Test func `a walk that goes on keeps the time that it took, without what the job waited`() throws {
    let job = Job(batch: BatchID(UUIDv7(high: 2, low: 1)), ordinal: 0, kind: .title, input: "http://a.test/")
    let order = JobOrder(job: job, lease: Lease(token: LeaseToken(1), attempt: 1))
    let page = #"<meta http-equiv="refresh" content="0; url=/2">"#
    var document = Document(
      order: order, sender: WorkerID.numbered(1), url: "http://a.test/", failure: nil,
      contentType: "text/html", truncated: false, elapsedMilliseconds: 90_000, members: [],
      body: Array(page.utf8))
    document.continuation = Continuation(
      url: document.url, hops: [], visits: [], cookies: [], hasLeft: false, elapsedMilliseconds: 10)
    guard
      case .leadsOn(let continuation) = PageRefresh.read(in: document, while: ReadingTime(on: ManualClock()))
    else {
      Issue.record("the page leads nowhere")
      return
    }
    #expect(continuation.url == "http://a.test/2")
    #expect(continuation.elapsedMilliseconds == 10)
  }
}
