import Pipeline
import PipelineTesting
import Posix
import Testing

@testable import Roles

@Suite(.timeLimit(.minutes(10)))
struct WaitingClientTests {
  @Test func `a reader that follows asks once a second while there is nothing new`() async throws {
    let (isFree, looks) = (Lock(false), Lock(0))
    let network = ScriptedFetching { _ in
      await until { isFree.withLock { $0 } }
      return .success(.page("<title>T</title>"))
    }
    try await TestPipeline(.framed).withFleet(over: network) { fleet async throws -> Void in
      let (batch, client) = (fleet.newBatch(), try await fleet.client())
      _ = try await fleet.submit([JobDraft(kind: .title, input: "http://a.test/")], as: batch)
      let began = SystemTime.monotonicMicroseconds
      async let rows = client.copy(RowCopies(of: batch, follows: true)) { _ in
      } onProgress: { _ in
        looks.withLock { $0 += 1 }
      }
      await until { looks.withLock { $0 } >= 4 }
      #expect(SystemTime.monotonicMicroseconds - began > 2_000_000)
      isFree.withLock { $0 = true }
      #expect(try await rows == 1)
    }
  }

  @Test func `a requeue waits for the cancel before it, whose jobs stay cancelled`() async throws {
    let isFree = Lock(false)
    let network = ScriptedFetching { _ in
      await until { isFree.withLock { $0 } }
      return .success(.page("<title>T</title>"))
    }
    let count = 3_500
    let drafts = (0..<count).map { JobDraft(kind: .title, input: "http://a.test/\($0)") }
    try await TestPipeline(.framed).withFleet(over: network) { fleet async throws -> Void in
      let (batch, client) = (fleet.newBatch(), try await fleet.client())
      _ = try await fleet.submit(drafts, as: batch)
      #expect(try await client.ask(CancelOrder(JobChoice(batch), cause: "test")) == UInt64(count))
      #expect(try await client.ask(RequeueOrder(JobChoice(batch))) == 0)
      isFree.withLock { $0 = true }
      while try await client.progress(of: batch)?.settled != UInt64(count) {}
      #expect(try await client.progress(of: batch)?.cancelled == UInt64(count))
    }
  }
}
