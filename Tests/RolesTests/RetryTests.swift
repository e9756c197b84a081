import Pipeline
import PipelineTesting
import Posix
import Roles
import Testing

/// Retries and deadlines, on a clock moved by hand.
@Suite(.timeLimit(.minutes(1)))
struct RetryTests {
  /// Fails the first `failures` times.
  private final class Flaky: Sendable {
    let calls = Lock(0)
    let attempted = AsyncStream.makeStream(of: Int.self)
    let failures: Int
    let failure: Failure

    init(failures: Int, _ failure: Failure) {
      self.failures = failures
      self.failure = failure
    }

    var fetching: ScriptedFetching {
      ScriptedFetching { [self] _ in
        let call = calls.withLock { calls in
          calls += 1
          return calls
        }
        attempted.continuation.yield(call)
        return call <= failures ? .failure(failure) : .success(FetchResponse(status: 200))
      }
    }
  }

  private func run(_ flaky: Flaky, deadlineMilliseconds: Int64? = nil) async throws -> Row {
    let clock = ManualClock()
    var pipeline = TestPipeline()
    pipeline.clock = clock
    let draft = JobDraft(kind: .unfurl, input: "http://a.test/")
    let time = passTime(on: clock)
    defer { time.cancel() }
    let rows = try await pipeline.run(
      [draft], over: flaky.fetching, deadlineMilliseconds: deadlineMilliseconds)
    return try Row(try #require(rows.first))
  }

  private func passTime(on clock: ManualClock) -> Task<Void, Never> {
    Task {
      while !Task.isCancelled {
        clock.advance(byMilliseconds: 100)
        await Task.yield()
      }
    }
  }

  @Test func `a passing fault is tried again`() async throws {
    let flaky = Flaky(failures: 2, Failure(.connect, at: .connect, "fetch: refused"))
    let row = try await run(flaky)
    #expect(row["status"] == "ok")
    #expect(row["attempts"] == "3")
  }

  @Test func `after the last retry the failure stands`() async throws {
    let flaky = Flaky(failures: 9, Failure(.connect, at: .connect, "fetch: refused"))
    let row = try await run(flaky)
    #expect(row["error.kind"] == "connect")
    #expect(row["attempts"] == "4")
    #expect(flaky.calls.withLock { $0 } == 4)
  }

  @Test func `a lasting fault is not tried again`() async throws {
    let flaky = Flaky(failures: 9, Failure(.dns, at: .dns, "fetch: no such host"))
    #expect(try await run(flaky)["attempts"] == "1")
  }

  @Test func `a job that is not done by its deadline ends with it`() async throws {
    let flaky = Flaky(failures: 9, Failure(.connect, at: .connect, "fetch: refused"))
    let row = try await run(flaky, deadlineMilliseconds: 5_000)
    #expect(row["error.kind"] == "deadline")
    #expect(flaky.calls.withLock { $0 } < 4)
  }

  @Test func `an interrupted batch does not wait for retries`() async throws {
    let flaky = Flaky(failures: 9, Failure(.connect, at: .connect, "fetch: refused"))
    var pipeline = TestPipeline()
    let clock = ManualClock()
    pipeline.clock = clock
    let time = passTime(on: clock)
    defer { time.cancel() }
    let release = AsyncStream.makeStream(of: Void.self)
    let fetching = ScriptedFetching { request in
      let answer = await flaky.fetching.fetch(request)
      for await _ in release.stream { break }
      return answer
    }
    let rows = try await pipeline.run([JobDraft(kind: .unfurl, input: "http://a.test/")], over: fetching) {
      producer in
      for await _ in flaky.attempted.stream { break }
      await producer.interrupt(everything: false, cause: "interrupted")
      release.continuation.finish()
    }
    #expect(rows.map(\.failure) == [.connect])
    #expect(flaky.calls.withLock { $0 } == 1)
  }
}
