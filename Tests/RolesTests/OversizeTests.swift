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
}
