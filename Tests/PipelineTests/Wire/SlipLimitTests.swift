import Testing

@testable import Pipeline

/// What a fetcher does with a slip it can do without looking: every step that is asked for is there.
struct SlipLimitTests {
  private static func job(steps: Int) -> Job {
    var job = Job(batch: BatchID(UUIDv7(high: 1, low: 2)), ordinal: 3, kind: .unfurl, input: "http://a.test")
    job.slip = RoutingSlip([SlipStep](repeating: .unfurl, count: steps))
    return job
  }

  private static func order(steps: Int, step: UInt16) -> JobOrder {
    JobOrder(job: job(steps: steps), lease: Lease(token: LeaseToken(4), attempt: 1), step: step)
  }

  static let jobs: [(name: String, steps: Int, step: UInt16, refusal: FrameError?)] = [
    ("the first of one", 1, 0, nil),
    ("the last of many", RoutingSlip.mostSteps, UInt16(RoutingSlip.mostSteps - 1), nil),
    ("the one behind the last", 1, 1, .malformed("step of JobOrder")),
    ("far beyond the slip", 2, .max, .malformed("step of JobOrder")),
    ("a slip that is too long", RoutingSlip.mostSteps + 1, 0, .malformed("slip of Job")),
    ("a step that has no next number", 65_536, .max, .malformed("slip of Job")),
    ("a step that has no next number, of more", 65_537, .max, .malformed("slip of Job")),
  ]

  @Test(arguments: jobs)
  func `a job asks for a step of its slip`(
    row: (name: String, steps: Int, step: UInt16, refusal: FrameError?)
  ) throws {
    let frame = try FrameSurgery(on: Envelope(.job(Self.order(steps: row.steps, step: row.step))))
    #expect(frame.refusal() == row.refusal)
  }

  @Test func `a document's slip may be done`() throws {
    let document = Document(
      order: Self.order(steps: 1, step: 1), sender: WorkerID(UUIDv7(high: 1, low: 2)),
      url: "http://a.test/", failure: nil, contentType: nil, truncated: false, elapsedMilliseconds: 0,
      members: [], body: [])
    #expect(try FrameSurgery(on: Envelope(.document(document))).refusal() == nil)
  }

  @Test func `nobody submits a job with a slip that is too long`() throws {
    let submit = Submit(
      batch: BatchID(UUIDv7(high: 1, low: 2)), sequence: 0, replyTo: Address("inproc://producer"),
      jobs: [Self.job(steps: RoutingSlip.mostSteps + 1)])
    #expect(try FrameSurgery(on: Envelope(.submit(submit))).refusal() == .malformed("slip of Job"))
  }
}
