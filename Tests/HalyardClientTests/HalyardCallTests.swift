import Halyard
import HalyardConcurrency
import HalyardTesting
import PipelineTesting
import Posix
import Testing

/// Calls as values: of closures, changed, and one after another.
@Suite(.timeLimit(.minutes(10)))
struct HalyardCallTests {
  private let asked = Lock(0)

  private var counted: HalyardCall<Int> {
    HalyardCall { [asked] in
      asked.withLock { count in
        count += 1
        return count
      }
    }
  }

  @Test func `each use of a call asks anew`() async throws {
    let call = counted
    #expect(asked.withLock { $0 } == 0)
    #expect(try await call.get() == 1)
    #expect(await call.result() == .success(2))
    for try await value in call.stream { #expect(value == 3) }
    let answers = TaskChannel<Result<Int, HalyardError>>(capacity: .unbounded)
    call.call { _ = try? answers.offer($0) }
    #expect(try await answers.next("an answer") == .success(4))
  }

  @Test func `a call fails with what its closure throws`() async throws {
    let known = HalyardError(.dns, at: .dns, "no such host")
    #expect(await HalyardCall<Int> { throw known }.result() == .failure(known))
    #expect(await HalyardCall<Int> { throw ServiceError.failed(known) }.result() == .failure(known))
    let unknown = await HalyardCall<Int> { throw Broken(input: 7) }.result().failure
    #expect(unknown?.kind == .underlying && unknown?.message.contains("7") == true)
    #expect(await HalyardCall<Int> { throw CancellationError() }.result().failure?.kind == .cancelled)
  }

  @Test func `a value is changed by a map, which may fail`() async throws {
    #expect(try await counted.map { "\($0)" }.get() == "1")
    let failing = counted.map { _ in throw HalyardError(.noData, at: .json, "none") } as HalyardCall<Int>
    #expect(await failing.result().failure?.kind == .noData)
  }

  @Test func `one call follows another, and not a failure`() async throws {
    let site = StubSite([
      "http://a.test/": .json(#""http://a.test/page""#), "http://a.test/page": .page("<title>Found</title>"),
    ])
    let client = HalyardClient(stub: site)
    let both = client.decode(String.self, from: "http://a.test/").then { client.title($0.value) }
    #expect(try await both.get().title == "Found")
    let failing = client.title("http://b.test/").then { client.title($0.url) }
    #expect(await failing.result().failure?.kind == .dns)
    #expect(site.requests.map(\.url).filter { !$0.hasSuffix("robots.txt") }.count == 3)
    try await client.end()
  }

  @Test func `a cancelled task cancels the call inside a chain`() async throws {
    let (begun, ended) = (TaskChannel<Void>(capacity: .unbounded), TaskChannel<Void>(capacity: .unbounded))
    let waiting = HalyardCall<Int> {
      _ = try? begun.offer(())
      defer { _ = try? ended.offer(()) }
      _ = try await TaskChannel<Void>(capacity: 0).receive()
      return 1
    }
    let task = Task { await counted.then { _ in waiting }.map { $0 + 1 }.result() }
    _ = try await begun.next("the second call")
    task.cancel()
    #expect(try await soon("the answer") { await task.value }.failure?.kind == .cancelled)
    _ = try await ended.next("the end of its work")
  }

  @Test func `a call of a closure has no link to read more of`() async throws {
    let link = HalyardCall { ResolvedLink(input: "http://a.test/") }
    #expect(await link.title().result().failure?.kind == .missingInput)
    #expect(await link.decode(Int.self).result().failure?.kind == .missingInput)
  }

  private static let cancellations: [any Error] = [
    CancellationError(), TaskChannelError.interrupted, TaskChannelError.cancelled, TaskScopeError.interrupted,
    ServiceError<Broken>.cancelled, HalyardError(.cancelled, at: .queue, "cancelled"),
    ServiceError.failed(HalyardError(.cancelled, at: .queue, "cancelled")),
  ]

  @Test func `one word finds every cancellation, and nothing else`() async throws {
    for error in Self.cancellations {
      #expect(error.isCancellation, "\(error)")
      #expect(await HalyardCall<Int> { throw error }.result().failure?.kind == .cancelled)
      let service = AsyncService<Void, Int, any Error> { throw error }
      do {
        _ = try await service()
        Issue.record("\(error) is lost")
      } catch {
        guard case .cancelled = error else {
          Issue.record("\(error) is no cancellation")
          return
        }
      }
    }
    let failures: [any Error] = [
      Broken(input: 1), TaskChannelError.closed, TaskScopeError.over, ServiceError<Broken>.unanswered,
      HalyardError(.timeout, at: .body, "too long"),
    ]
    for error in failures { #expect(!error.isCancellation, "\(error)") }
  }

  @Test func `an error is told by its message`() {
    let error = HalyardError(.dns, at: .dns, "fetch http://a.test/: no such host")
    #expect(error.errorDescription == error.message)
  }
}
