import Pipeline
import Posix
import Roles
import Testing

@testable import Assembly

/// How sessions begin and end beside each other.
@Suite(.timeLimit(.minutes(10)))
struct CallCoreTests {
  /// Counts who works in it.
  private final class Place: CallBackend {
    let counts = Lock((begun: 0, ended: 0))

    func run(_ session: CallSession) async throws {
      counts.withLock { $0.begun += 1 }
      while let drafts = try await session.next(atMost: 8), !drafts.isEmpty {}
      counts.withLock { $0.ended += 1 }
    }
  }

  @Test func `shutting down beside a first call waits for what that call began`() async throws {
    for _ in 0..<20_000 {
      let place = Place()
      let core = CallCore(place, maxCalls: 10)
      let answers = Lock(0)
      let asking = Task.detached {
        core.ask(JobDraft(kind: .unfurl, input: "http://a.test/")) { _ in answers.withLock { $0 += 1 } }
      }
      let atTheEnd = await Task.detached {
        await core.stop()?.ended()
        return place.counts.withLock { $0 }
      }.value
      _ = await asking.value
      #expect(atTheEnd.begun == atTheEnd.ended)
      for _ in 0..<3 { await Task.yield() }
      let (later, told) = (place.counts.withLock { $0 }, answers.withLock { $0 })
      #expect(later == atTheEnd, "it began, or ended, behind the end")
      #expect(told == 1)
      guard later == atTheEnd else { return }
    }
  }
}
