import Pipeline
import PipelineTesting
import Testing

@testable import Roles

/// Documents that fit into a message, with rows that do not.
@Suite(.timeLimit(.minutes(10)))
struct OversizeTests {
  /// One JSON string of Chinese in UTF-16, which takes half as much again in UTF-8.
  private func document(growingTo bytes: Int) -> FetchResponse {
    let body = [0xFF, 0xFE, 0x22, 0] + [UInt8](repeating: 0x4E, count: bytes / 3 * 2) + [0x22, 0]
    return FetchResponse(
      status: 200, headers: [HeaderField("Content-Type", "application/json; charset=utf-16")], body: body)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `a row that is larger than a message is a failure that says so`(transport: TransportUnderTest)
    async throws
  {
    let url = "http://example.org/large"
    let large = document(growingTo: EnvelopeCodec.longestRow + 3)
    let row = try await row(of: JobDraft(kind: .decode, input: url), over: [url: large], in: transport)
    #expect(row["status"] == "failed")
    #expect(row["error.kind"] == "body_too_large")
    #expect(row["error.retryable"] == "false")
    #expect(row["error.message"]?.contains("a message holds \(EnvelopeCodec.longestRow)") == true)
    #expect(row["url"] == url)
    #expect(row["attempts"] == "1")
  }

  @Test func `a row that just fits arrives whole`() async throws {
    let url = "http://example.org/just"
    let just = document(growingTo: EnvelopeCodec.longestRow - 1_024)
    let row = try await row(of: JobDraft(kind: .decode, input: url), over: [url: just], in: .zeroMQ)
    #expect(row["status"] == "ok")
    #expect(row.text.utf8.count > EnvelopeCodec.longestRow - 1_024)
  }

  /// Each array holds all that are inside it: together they are a hundred times the document.
  @Test(arguments: [
    ("$..*", "what it finds takes more than the \(EnvelopeCodec.longestRow) bytes that a message holds"),
    ("$..*..*..*..*", "it finds more than 1048576 values"),
    ("$..[?$..[?$..*]]", "it takes more than 50000000 steps"),
  ])
  func `a query that finds too much is a failure that says so`(query: String, message: String) async throws {
    let url = "http://example.org/nested"
    let text = String(repeating: "x", count: 100_000)
    let nested = String(repeating: "[", count: 500) + "\"\(text)\"" + String(repeating: ",[1]]", count: 500)
    let draft = JobDraft(kind: .decode, input: url, select: query)
    let row = try await row(of: draft, over: [url: .json(nested)])
    #expect(row["error.kind"] == "body_too_large")
    #expect(row["error.stage"] == "select")
    #expect(row["error.message"]?.contains("select '\(query)' from \(url): \(message)") == true)
    #expect(row["value"] == nil)
  }

  private static let longPath = String(repeating: "x", count: 20_000)
  private static let longHost = "http://\(String(repeating: "label.", count: 4_000))test/"

  @Test(arguments: TransportUnderTest.allCases)
  func `a failure at a very long address has its row, with both ends of the address`(
    transport: TransportUnderTest
  )
    async throws
  {
    let target = "http://example.org/\(Self.longPath)/end"
    let row = try await row(
      of: JobDraft(kind: .title, input: "http://sho.rt/a"),
      over: ["http://sho.rt/a": .redirect(to: target), target: FetchResponse(status: 404)], in: transport)
    #expect(row["error.kind"] == "http_status")
    #expect(row["url"] == target)
    let message = try #require(row["error.message"])
    #expect(message.utf8.count <= Failure.longestMessage)
    #expect(message.contains("http://example.org/xxx") && message.contains("404"))
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `a very long link to nowhere has its row`(transport: TransportUnderTest) async throws {
    let link = "http://nowhere.test/\(Self.longPath)"
    let row = try await row(of: JobDraft(kind: .title, input: link), over: [:], in: transport)
    #expect(row["error.kind"] == "dns")
    #expect(row["input"] == link)
  }

  @Test(arguments: TransportUnderTest.allCases, ["http://sho.rt/a", Self.longHost])
  func `a very long host that nobody knows has its row`(transport: TransportUnderTest, link: String)
    async throws
  {
    let pages = ["http://sho.rt/a": FetchResponse.redirect(to: Self.longHost)]
    let row = try await row(of: JobDraft(kind: .title, input: link), over: pages, in: transport)
    #expect(row["error.kind"] == "dns")
    #expect(row["input"] == link)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `headers as long as they may be leave room for their document`(transport: TransportUnderTest)
    async throws
  {
    let text = String(repeating: "x", count: ResponseNote.mostBytes - 30)
    var page = FetchResponse.page("<title>noted</title>")
    page.headers += [
      HeaderField("Content-Disposition", "inline; filename=\(text)"), HeaderField("Content-Language", text),
      HeaderField("ETag", "\"\(text)\""), HeaderField("Last-Modified", text),
    ]
    for number in 0..<8 { page.headers.append(HeaderField("Link", "</\(number)\(text)>; rel=preload")) }
    let row = try await row(
      of: JobDraft(kind: .title, input: "http://a.test/"), over: ["http://a.test/": page], in: transport)
    #expect(row["title"] == "noted")
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `a job that is too large is refused in its row`(transport: TransportUnderTest) async throws {
    var draft = JobDraft(kind: .title, input: "http://a.test/", ref: "mine")
    draft.kept = [KeptColumn("note", String(repeating: "x", count: 20 << 20))]
    let row = try await row(of: draft, over: ["http://a.test/": .page("<title>a</title>")], in: transport)
    #expect(row["error.kind"] == "invalid_input")
    #expect(row["ref"] == "mine")
    #expect(row["error.message"]?.contains("keep fewer columns") == true)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `a document that is too large for a message is a failure that says so`(transport: TransportUnderTest)
    async throws
  {
    let url = "http://a.test/large"
    let large = FetchResponse(
      status: 200, headers: [HeaderField("Content-Type", "application/json")],
      body: [UInt8](repeating: 0x20, count: EnvelopeCodec.largestFrame))
    let row = try await row(of: JobDraft(kind: .decode, input: url), over: [url: large], in: transport)
    #expect(row["error.kind"] == "body_too_large")
    #expect(row["error.stage"] == "body")
    #expect(row["error.message"]?.contains("a message holds") == true)
  }

  @Test func `an answer does not serve a job whose row it would make too long`() {
    let batch = BatchID(UUIDv7(high: 1, low: 2))
    let job = Job(batch: batch, ordinal: 0, kind: .title, input: "http://a.test/")
    var other = Job(batch: batch, ordinal: 1, kind: .title, input: "http://a.test/")
    let members = Array(#""value":"#.utf8) + [UInt8](repeating: 0x31, count: 15 << 20)
    let answer = RowOutcome.found(members, nil, attempts: 1, milliseconds: 1)
    #expect(RowComposer.fits(answer, for: job))
    other.kept = [KeptColumn("note", String(repeating: "x", count: 1 << 20))]
    #expect(!RowComposer.fits(answer, for: other))
  }

  @Test func `what surely fits a message does, though a job keeps many empty columns`() {
    var job = Job(
      batch: BatchID(UUIDv7(high: 1, low: 2)), ordinal: 0, kind: .decode, input: "http://a.test/")
    job.kept = Array(repeating: KeptColumn("", ""), count: Int(UInt16.max))
    let members = Array(#""value":"#.utf8)
    var most = EnvelopeCodec.longestRow
    func answer(_ bytes: Int) -> RowOutcome {
      .found(members + [UInt8](repeating: 0x31, count: bytes), nil, attempts: 1, milliseconds: 1)
    }
    while !RowComposer.fits(answer(most), for: job) { most -= 16 << 10 }
    #expect(RowComposer.row(of: job, answer(most)).count <= EnvelopeCodec.longestRow)
  }
}
