import Pipeline
import PipelineTesting
import Testing

@testable import Roles

/// Rows, byte for byte.
struct RowComposerTests {
  private static let job: Job = {
    var job = Job(
      batch: BatchID(UUIDv7(high: 0x018B_CFE5_6800_7000, low: 0x8000_0000_0000_0000)), ordinal: 2,
      kind: .title, input: "http://a.test/ü\"")
    job.ref = "mine"
    return job
  }()

  private static let kept: Job = {
    var job = Self.job
    job.kept = [KeptColumn("note", "a\nb"), KeptColumn("n", "1")]
    return job
  }()

  private static let placed: Job = {
    var job = Self.kept
    job.origin = LinkOrigin(file: "a.md", line: 3, column: 9, text: "a \"b\"")
    return job
  }()

  private static let failure = Failure(.dns, at: .dns, "no such host", retryable: true)
  private static let givenUp: Failure = {
    var failure = Self.failure
    failure.givenUpHost = "a.test"
    return failure
  }()

  private static let cached = CachedAnswer(
    question: "", storedAt: Moment(unixMilliseconds: 0), failure: nil, isOfFailure: false, validators: nil,
    json: Array(#""status":"ok","title":"T","attempts":1,"ms":12"#.utf8))

  static let rows: [(job: Job, answer: RowOutcome, rest: String)] = [
    (
      job, .found(Array(#""title":"T""#.utf8), nil, attempts: 1, milliseconds: 12),
      #""status":"ok","title":"T","attempts":1,"ms":12}"#
    ),
    (
      placed, .found([], nil, attempts: 1, milliseconds: 0),
      #""status":"ok","attempts":1,"ms":0,"kept":{"note":"a\nb","n":"1"},"origin":{"file":"a.md","line":3,"column":9,"text":"a \"b\""}}"#
    ),
    (
      kept, .found([], nil, attempts: 2, milliseconds: -1),
      #""status":"ok","attempts":2,"ms":0,"kept":{"note":"a\nb","n":"1"}}"#
    ),
    (
      kept, .found(Array(#""url":"u""#.utf8), failure, attempts: 1, milliseconds: 0),
      #""status":"failed","url":"u","error":{"kind":"dns","stage":"dns","message":"no such host","retryable":true},"attempts":1,"ms":0,"kept":{"note":"a\nb","n":"1"}}"#
    ),
    (
      job, .failed(givenUp, attempts: 0, milliseconds: 5),
      #""status":"failed","error":{"kind":"dns","stage":"dns","message":"no such host","retryable":true,"given_up":"a.test"},"attempts":0,"ms":5}"#
    ),
    (
      job, .failed(Failure(.cancelled, at: .queue, "enough"), attempts: 0, milliseconds: 5),
      #""status":"cancelled","error":{"kind":"cancelled","stage":"queue","message":"enough","retryable":false},"attempts":0,"ms":5}"#
    ),
    (
      kept, .cached(cached, ageMilliseconds: 2_999),
      #""status":"ok","title":"T","attempts":1,"ms":12,"cached":true,"age":2,"kept":{"note":"a\nb","n":"1"}}"#
    ),
    (
      job, .cached(cached, ageMilliseconds: 0, isRenewed: true),
      #""status":"ok","title":"T","attempts":1,"ms":12,"cached":true,"age":0,"revalidated":true}"#
    ),
  ]

  @Test(arguments: rows)
  func `a row is the question, the answer and the user's columns`(
    row: (job: Job, answer: RowOutcome, rest: String)
  ) {
    let question =
      #"{"schema":"halyard.result/1","id":"\#(Self.job.id)","ref":"mine","batch":"018bcfe5-6800-7000-8000-000000000000","ordinal":2,"kind":"title","input":"http://a.test/ü\"","#
    #expect(String(decoding: RowComposer.row(of: row.job, row.answer), as: UTF8.self) == question + row.rest)
  }

  @Test func `what is cached of an answer is what its row says`() {
    let answer = RowOutcome.found(Array(#""title":"T""#.utf8), nil, attempts: 1, milliseconds: 12)
    #expect(answer.json == Self.cached.json)
  }

  @Test func `a result that asks for another attempt and stands anyway is a success in its row`() {
    var result = JobResult(
      job: Self.job.id, sender: WorkerID.numbered(1),
      lease: Lease(token: LeaseToken(1), attempt: 3), failure: Self.failure, members: [], milliseconds: 7)
    #expect(result.answer.failure == .dns)
    result.standsAnyway = true
    #expect(String(decoding: result.answer.json, as: UTF8.self) == #""status":"ok","attempts":3,"ms":7"#)
  }
}
