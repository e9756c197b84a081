import Pipeline
import PipelineTesting
import Posix
import Roles
import Testing

@Suite(.timeLimit(.minutes(10)))
struct SingleFlightTests {
  @Test(arguments: TransportUnderTest.allCases)
  func `equal links under way at the same time are fetched once, and each has a row of its own`(
    _ transport: TransportUnderTest
  ) async throws {
    let fetched = Lock(0)
    let fetching = ScriptedFetching { _ in
      fetched.withLock { $0 += 1 }
      return .success(.page("<title>One</title>"))
    }
    var drafts = (0..<5).map { JobDraft(kind: .title, input: "http://one.test/", ref: "r\($0)") }
    // The same address in other words.
    drafts[4].input = "HTTP://ONE.test:80/x/.."
    drafts[3].kept = [KeptColumn("colour", "red")]
    drafts.append(JobDraft(kind: .title, input: "http://two.test/"))
    // One submission, so all of them are there before any is answered.
    let rows = try await TestPipeline(transport).run(drafts, over: fetching, ordered: true)
    #expect(fetched.withLock { $0 } == 2)
    #expect(rows.map(\.ordinal) == Array(0..<6))
    let read = try rows.map(Row.init)
    #expect(read.map { $0["title"] } == Array(repeating: "One", count: 6))
    #expect(read.map { $0["ref"] } == ["r0", "r1", "r2", "r3", "r4", nil])
    #expect(read[3]["kept.colour"] == "red")
    #expect(read[2]["kept.colour"] == nil)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `an answer that is too large to be copied for all is fetched again for the others`(
    _ transport: TransportUnderTest
  ) async throws {
    let fetched = Lock(0)
    let value = String(repeating: "x", count: 1 << 20)
    let fetching = ScriptedFetching { _ in
      fetched.withLock { $0 += 1 }
      return .success(
        FetchResponse(
          status: 200, headers: [HeaderField("Content-Type", "application/json")],
          body: Array("\"\(value)\"".utf8)))
    }
    let drafts = (0..<12).map { JobDraft(kind: .decode, input: "http://one.test/", ref: "r\($0)") }
    let rows = try await TestPipeline(transport).run(drafts, over: fetching, ordered: true)
    // Four copies are more than 4 MiB, so a flight serves five.
    #expect(fetched.withLock { $0 } == 3)
    let read = try rows.map(Row.init)
    #expect(read.map { $0["ref"] } == (0..<12).map { "r\($0)" })
    #expect(read.allSatisfy { $0["value"] == value && $0["attempts"] == "1" })
  }
}
