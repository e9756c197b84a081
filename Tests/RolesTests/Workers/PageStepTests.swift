import JSONQuery
import Pipeline
import PipelineTesting
import Posix
import Testing

@testable import Roles

/// What a decoder makes of a document for the step `title`.
struct PageStepTests {
  private func read(
    _ body: String, type: String? = "text/html", at url: String = "http://a.test/dir/b.pdf",
    truncated: Bool = false, capped: Bool = false,
    status: Failure? = nil, note: ResponseNote? = nil, input: String? = nil, seconds: Int64 = 0
  ) throws -> (failure: Failure?, row: JSONValue) {
    let job = Job(batch: BatchID(UUIDv7(high: 2, low: 1)), ordinal: 1, kind: .title, input: input ?? url)
    var document = Document(
      order: JobOrder(job: job, lease: Lease(token: LeaseToken(1), attempt: 1)),
      sender: WorkerID.numbered(1), url: url, failure: status, contentType: type,
      truncated: truncated,
      elapsedMilliseconds: 1, members: [], body: Array(body.utf8))
    (document.note, document.isCapped) = (note, capped)
    var row = JSONWriter()
    var failure: Failure?
    let clock = ManualClock()
    let time = ReadingTime(on: clock)
    clock.advance(byMilliseconds: seconds * 1_000)
    switch PageStep.read(document, while: time, into: &row) {
    case .over(let end): failure = end
    case .leadsOn(let continuation): Issue.record("leads on to \(continuation.url)")
    }
    return (failure, try JSONDocument(parsing: [UInt8(ascii: "{")] + row.bytes + [UInt8(ascii: "}")]).root)
  }

  @Test func `a page that takes too long to read fails, and is not read again`() throws {
    let page = String(repeating: "<p>", count: 10_000) + "<title>T</title>"
    #expect(try read(page, seconds: 9).failure == nil)
    let failure = try read(page, seconds: 10).failure
    #expect(failure?.kind == .deadline)
    #expect(failure?.retryable == false)
    #expect(failure?.message == "read http://a.test/dir/b.pdf: reading the page took longer than 10 s")
  }

  private let pdf = "%PDF-1.4 5 0 obj<</Title(T)>>endobj trailer<</Info 5 0 R>>"

  @Test func `a PDF has its own title, a name and a length, and no card`() throws {
    let (failure, row) = try read(pdf, type: "application/pdf")
    #expect(failure == nil)
    #expect(row["title"]?.string == "T")
    #expect(row["title_source"]?.string == "document")
    #expect(row["file_name"]?.string == "b.pdf")
    #expect(row["length"]?.int64 == Int64(pdf.utf8.count))
    #expect(row["card"] == nil)
    #expect(row["charset"] == nil)
    #expect(row["content_type"] == nil)
  }

  @Test(arguments: [
    (true, true, "there is no title in the first 3 bytes; allow more with --max-body"),
    (true, false, "there is no title in the 3 bytes that came before the server stopped; try it again later"),
    (false, false, "the page has no title"),
  ])
  func `a page without a title says what helps`(truncated: Bool, capped: Bool, words: String) throws {
    let (failure, _) = try read("<p>", at: "http://a.test/", truncated: truncated, capped: capped)
    #expect(failure?.kind == .missingPageTitle)
    #expect(failure?.message == "read http://a.test/: \(words)")
  }

  @Test func `what came without a type has the one that it looks like`() throws {
    for none in [nil, "", "; charset=utf-8"] {
      #expect(try read(pdf, type: none).row["content_type"]?.string == "application/pdf")
    }
    #expect(try read("", type: nil).row["content_type"] == nil)
  }

  @Test(arguments: [
    ("image/png", "\u{89}PNG"), ("application/json", "{}"), ("application/pdf", "%PDF-"),
    ("image/svg+xml", "<svg/>"),
  ])
  func `a file without a title is ok, with name and length`(type: String, body: String) throws {
    let note = ResponseNote(disposition: "attachment; filename*=UTF-8''%C3%A4.bin", language: nil, length: 7)
    let (failure, row) = try read(body, type: type, note: note)
    #expect(failure == nil)
    #expect(row["title"] == nil)
    #expect(row["file_name"]?.string == "ä.bin")
    #expect(row["length"]?.int64 == Int64(body.utf8.count))
  }

  @Test(arguments: [nil, "image/png"])
  func `a file without a byte is not_html`(type: String?) throws {
    #expect(try read("", type: type).failure?.kind == .notHTML)
  }

  @Test func `the length of what was cut is what the server said, or nothing`() throws {
    let note = ResponseNote(disposition: nil, language: nil, length: 1 << 33)
    #expect(try read("x", type: "image/png", truncated: true, note: note).row["length"]?.int64 == 1 << 33)
    #expect(try read("x", type: "image/png", truncated: true).row["length"] == nil)
  }

  @Test(arguments: [
    ("application/rss+xml", "<rss><channel><title>T</title></channel></rss>", false),
    ("application/atom+xml", "<feed><title>T</title></feed>", false),
    ("image/svg+xml", "<svg><title>T</title></svg>", false),
    ("application/xml", "<html><title>T</title></html>", true),
    ("application/xhtml+xml", "<html><title>T</title></html>", true),
  ])
  func `XML has titles by its own rules`(type: String, body: String, hasCard: Bool) throws {
    let (failure, row) = try read(body, type: type)
    #expect(failure == nil)
    #expect(row["title"]?.string == "T")
    #expect((row["card"] != nil) == hasCard)
  }

  @Test func `an error that is no page is an error, not a file`() throws {
    let gone = Failure(.httpStatus, at: .headers, "404")
    let (failure, row) = try read("{}", type: "application/json", status: gone)
    #expect(failure == gone)
    #expect(row["file_name"] == nil)
  }

  @Test func `the language of the header is the last resort`() throws {
    let note = ResponseNote(disposition: nil, language: "is", length: nil)
    let row = try read("<title>T</title>", note: note).row
    #expect(row["card"]?["language"]?.string == "is")
    #expect(row["card"]?["sources"]?["language"]?.string == "header")
  }

  @Test func `a wall is blocked, not a dead link and not the page`() throws {
    let forbidden = Failure(.httpStatus, at: .headers, "403")
    let page = "<title>Just a moment...</title><script>window._cf_chl_opt={}</script>"
    #expect(try read(page, status: forbidden).failure?.kind == .blocked)
    #expect(try read("<title>x</title>", status: forbidden).failure == forbidden)
    let challenge = ResponseNote(disposition: nil, language: nil, length: nil, isChallenge: true)
    #expect(try read("<title>x</title>", status: forbidden, note: challenge).failure?.kind == .blocked)
  }

  @Test func `a form to log in where the link led elsewhere is blocked`() throws {
    let form = "<title>Log in</title><input type=password>"
    #expect(try read(form, at: "http://a.test/login", input: "a.test/post").failure?.kind == .blocked)
    #expect(try read(form, at: "http://a.test/login", input: "a.test/login").failure == nil)
    let dead = Failure(.bodyTooLarge, at: .body, "x")
    #expect(try read(form, at: "http://a.test/login", status: dead, input: "a.test/post").failure == dead)
  }
}
