import JSONQuery
import Pipeline
import PipelineTesting
import Posix
import Roles
import Testing

/// What a fleet tells of its batches, and which of their rows.
@Suite(.timeLimit(.minutes(10)))
struct BatchQuestionTests {
  private let pages = ScriptedFetching([
    "http://a.test/": .page("<title>A</title>"), "http://b.test/": .page("<title>B</title>"),
    "http://gone.test/": .page("<title>Gone</title>", status: 404),
  ])
  private let drafts = ["a", "gone", "b"].map { JobDraft(kind: .title, input: "http://\($0).test/") }

  @Test func `a batch gets other terms without its list, and batches are listed`() async throws {
    try await TestPipeline(.framed).withFleet(over: pages) { [self] fleet async throws -> Void in
      let (batch, client) = (fleet.newBatch(), try await fleet.client())
      var terms = BatchTerms()
      terms.weight = 100
      #expect(try await client.ask(ChangeOrder(batch, terms)) == false)
      _ = try await fleet.submit(drafts, as: batch)
      #expect(try await client.ask(ChangeOrder(batch, terms)))
      let page = try await client.ask(BatchSearch())
      let line = String(decoding: page.lines.flatMap(\.bytes), as: UTF8.self)
      #expect(line.contains("\"id\":\"\(batch)\"") && line.contains(#""weight":100"#))
      #expect(page.next == nil)
      var search = BatchSearch()
      search.state = .cancelled
      #expect(try await client.ask(search).lines.isEmpty)
    }
  }

  @Test func `rows are read on after a place`() async throws {
    try await TestPipeline(.framed).withFleet(over: pages) { [self] fleet async throws -> Void in
      let batch = fleet.newBatch()
      _ = try await fleet.submit(drafts, as: batch)
      // Until all rows are there.
      _ = try await fleet.client().copy(RowCopies(of: batch, follows: true)) { _ in }
      for follows in [false, true] {
        for after in UInt64(0)...4 {
          // One that had asked before would be taken to have rows under way.
          let client = try await fleet.client("reader-\(follows)-\(after)")
          let numbers = Lock<[UInt64]>([])
          let copies = RowCopies(of: batch, follows: follows, after: after)
          _ = try await client.copy(copies) { rows in numbers.withLock { $0 += rows.map(\.number) } }
          #expect(numbers.withLock { $0 } == Array([1, 2, 3].dropFirst(Int(after))))
        }
      }
    }
  }
}
