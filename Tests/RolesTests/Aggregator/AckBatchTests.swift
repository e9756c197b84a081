import Pipeline
import PipelineTesting
import Testing

@testable import Roles

/// When rows and acknowledgements are sent.
struct AckBatchTests {
  private let start = Moment(unixMilliseconds: 1_000)
  private let worker = WorkerID.numbered(1)
  private let token = LeaseToken(7)

  @Test func `what ends beside other work waits for company`() {
    var acks = AckBatch()
    acks.acknowledge(token, of: worker, at: start)
    #expect(acks.take(at: start.advanced(byMilliseconds: 4), isQuiet: false) == nil)
    #expect(acks.take(at: start.advanced(byMilliseconds: 5), isQuiet: false) == [worker: [token]])
    #expect(acks.due == nil)
  }

  @Test func `enough company goes at once`() {
    var acks = AckBatch()
    for _ in 1..<AckBatch.enough { acks.note(at: start) }
    #expect(acks.take(at: start, isQuiet: false) == nil)
    acks.note(at: start)
    #expect(acks.take(at: start, isQuiet: false) == [:])
  }

  @Test func `the last row under way waits for nobody`() {
    var acks = AckBatch()
    #expect(acks.take(at: start, isQuiet: true) == nil)
    acks.note(at: start)
    #expect(acks.take(at: start, isQuiet: true) == [:])
  }
}
