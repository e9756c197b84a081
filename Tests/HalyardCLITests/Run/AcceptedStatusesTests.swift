import Pipeline
import Testing

@testable import HalyardCLI

struct AcceptedStatusesTests {
  private func judged(
    _ accepted: [String], _ failure: FailureKind?, status: Int, kind: String = "title"
  ) throws -> NumberedRow {
    let error = failure.map { #","error":{"kind":"\#($0.rawValue)","message":"m"}"# } ?? ""
    let word = failure == nil ? "ok" : "failed"
    let json =
      #"{"kind":"\#(kind)","status":"\#(word)","url":"http://a.test/","http_status":\#(status),"title":"t"\#(error),"attempts":1}"#
    let row = NumberedRow(number: 1, ordinal: 0, failure: failure, json: Array(json.utf8))
    let value = try SelectionOption.accept.kind.read(accepted.joined(separator: ","))
    return try RowJudge(accepted: value.read()).judged(row)
  }

  @Test(
    arguments: [
      (["200..=299", "404"], FailureKind.httpStatus, 404, nil), (["200"], nil, 204, .httpStatus),
      (["200..=299"], .httpStatus, 404, .httpStatus), (["403"], .blocked, 403, nil),
      (["200"], .blocked, 200, .blocked), (["200"], .missingPageTitle, 200, .missingPageTitle),
      (["200"], nil, 200, nil), (["100..=599"], .httpStatus, 599, nil),
    ] as [([String], FailureKind?, Int, FailureKind?)])
  func `the list decides about statuses, and about no other failure`(
    accepted: [String], was: FailureKind?, status: Int, failure: FailureKind?
  ) throws {
    #expect(try judged(accepted, was, status: status).failure == failure)
  }

  @Test func `a row that is judged anew keeps its other members in their places`() throws {
    let ok = try judged(["404"], .httpStatus, status: 404)
    #expect(
      String(decoding: ok.json, as: UTF8.self)
        == #"{"kind":"title","status":"ok","url":"http://a.test/","http_status":404,"title":"t","attempts":1}"#
    )
    let failed = try judged(["404"], nil, status: 200)
    #expect(
      String(decoding: failed.json, as: UTF8.self)
        == #"{"kind":"title","status":"failed","url":"http://a.test/","http_status":200,"title":"t","error":"#
        + #"{"kind":"http_status","stage":"headers","message":"fetch http://a.test/: the server answered 200, "#
        + #"which --accept does not list","retryable":false},"attempts":1}"#)
  }

  @Test func `a document that was not read is no success`() throws {
    #expect(try judged(["404"], .httpStatus, status: 404, kind: "decode").failure == .httpStatus)
  }

  @Test func `with --html-only a title of anything but a page is a failure`() throws {
    func end(_ members: String, _ kind: String = "title") throws -> FailureKind? {
      let json = #"{"kind":"\#(kind)","status":"ok","url":"http://a.test/","http_status":200\#(members)}"#
      let row = NumberedRow(number: 1, ordinal: 0, failure: nil, json: Array(json.utf8))
      return try RowJudge(wantsPages: true).judged(row).failure
    }
    #expect(try end(#","content_type":"text/html","charset":"utf-8","title":"t""#) == nil)
    #expect(try end(#","content_type":"application/pdf","title":"t""#) == .notHTML)
    #expect(try end(#","content_type":"application/json""#) == .notHTML)
    #expect(try end(#","content_type":"application/json""#, "unfurl") == nil)
  }

  @Test(arguments: ["99", "600", "4o4", "200..299", "300..=200", "200..=", "200..=250..=299", "+20", "-1"])
  func `what is no status is refused`(text: String) {
    #expect(throws: ValueProblem.self) { try SelectionOption.accept.kind.read(text) }
  }
}
