import Pipeline
import PipelineTesting
import Roles
import Testing

/// Documents that fit into a message, with rows that do not.
@Suite(.timeLimit(.minutes(1)))
struct OversizeTests {
  /// One JSON string of Chinese in UTF-16, which takes half as much again in UTF-8.
  private func document(growingTo bytes: Int) -> FetchResponse {
    let body = [0xFF, 0xFE, 0x22, 0] + [UInt8](repeating: 0x4E, count: bytes / 3 * 2) + [0x22, 0]
    return FetchResponse(
      status: 200, headers: [HeaderField("Content-Type", "application/json; charset=utf-16")], body: body)
  }

  @Test(arguments: World.allCases)
  func `a row that is larger than a message is a failure that says so`(world: World) async throws {
    let url = "http://example.org/large"
    let large = document(growingTo: EnvelopeCodec.longestRow + 3)
    let row = try await row(of: JobDraft(kind: .decode, input: url), over: [url: large], in: world)
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
}
