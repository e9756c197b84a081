import Pipeline
import Testing

@testable import Roles

struct SubmissionsTests {
  private static let batch = BatchID(UUIDv7(high: 1, low: 1))
  private static let now = Moment(unixMilliseconds: 1_000)

  private static func receipt(_ sequence: UInt32) -> Receipt {
    Receipt(batch: batch, sequence: sequence, inserted: 1)
  }

  @Test func `the message that closes a batch is sent again after jobs that had to be sent again`() {
    var submissions = Submissions(batch: Self.batch, replyTo: Address("inproc://producer"))
    let jobs = submissions.add(
      [JobDraft(kind: .unfurl, input: "http://a.test/")], deadline: nil, at: Self.now)
    let end = submissions.end(at: Self.now)
    let took = submissions.took(Self.receipt(end.sequence))
    #expect(!took && !submissions.areReceipted)
    let later = Self.now.advanced(byMilliseconds: 10_000)
    #expect(submissions.repeated(at: later).map(\.sequence) == [jobs[0].sequence, end.sequence])
    let tookJobs = submissions.took(Self.receipt(jobs[0].sequence))
    let tookEnd = submissions.took(Self.receipt(end.sequence))
    #expect(tookJobs && tookEnd && submissions.areReceipted)
  }

  @Test(arguments: [(0, true), (1, false)] as [(UInt32, Bool)])
  func `the last message has the terms again if the batch had some of its jobs before`(
    _ inserted: UInt32, _ tellsTerms: Bool
  ) {
    var submissions = Submissions(
      batch: Self.batch, replyTo: Address("inproc://producer"), terms: BatchTerms(name: "monday"))
    _ = submissions.add([JobDraft(kind: .unfurl, input: "http://a.test/")], deadline: nil, at: Self.now)
    _ = submissions.took(Receipt(batch: Self.batch, sequence: 0, inserted: inserted))
    #expect((submissions.end(at: Self.now).terms != nil) == tellsTerms)
  }
}
