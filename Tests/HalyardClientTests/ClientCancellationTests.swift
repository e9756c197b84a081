import Halyard
import HalyardConcurrency
import Pipeline
import PipelineTesting
import Posix
import Testing

/// Exactly one answer, whoever ends a call and whenever.
@Suite(.timeLimit(.minutes(10)))
struct ClientCancellationTests {
  /// A network that answers nothing until it is cancelled, and tells of both.
  private struct Deaf {
    let asked = TaskChannel<String>(capacity: .unbounded)
    let released = TaskChannel<String>(capacity: .unbounded)

    var fetching: ScriptedFetching {
      ScriptedFetching { request in
        _ = try? asked.offer(request.url)
        let never = TaskChannel<Void>(capacity: 1)
        _ = try? await never.receive()
        _ = try? released.offer(request.url)
        return .failure(Failure(.cancelled, at: .queue, "cancelled"))
      }
    }
  }

  @Test func `a cancelled task has its answer, and its fetch is ended`() async throws {
    let deaf = Deaf()
    let client = try HalyardClient(fetching: deaf.fetching)
    let task = Task { await client.title("http://a.test/").result() }
    #expect(try await deaf.asked.next("the fetch") == "http://a.test/")
    task.cancel()
    #expect(try await soon("the answer of a cancelled call") { await task.value }.failure?.kind == .cancelled)
    #expect(try await deaf.released.next("the end of the fetch") == "http://a.test/")
    try await client.end()
  }

  @Test func `a handle cancels, once, and the handler is told once`() async throws {
    let deaf = Deaf()
    let client = try HalyardClient(fetching: deaf.fetching)
    let answers = TaskChannel<Result<ResolvedLink, HalyardError>>(capacity: .unbounded)
    let handle = client.unfurl("http://a.test/").call { _ = try? answers.offer($0) }
    _ = try await deaf.asked.next("the fetch")
    handle.cancel()
    handle.cancel()
    #expect(try await answers.next("an answer")?.failure?.kind == .cancelled)
    #expect(try await deaf.released.next("the end of the fetch") == "http://a.test/")
    try await client.end()
    #expect(answers.takeNow().count == 0)
  }

  @Test func `leaving a stream of many ends what is under way`() async throws {
    let deaf = Deaf()
    let client = try HalyardClient(
      fetching: ScriptedFetching { request in
        if request.url == "http://host0.test/" { return .success(.page("<title>First</title>")) }
        return await deaf.fetching.fetch(request)
      })
    let links = (0..<4).map { "http://host\($0).test/" }
    for try await outcome in client.results(of: links, in: .completion, { $0.title($1) }) {
      #expect(outcome.index == 0)
      for _ in 1..<4 { _ = try await deaf.asked.next("the fetch") }
      break
    }
    for _ in 1..<4 { #expect(try await deaf.released.next("the end of the fetch") != nil) }
    try await client.end()
  }

  @Test func `shutting down answers what is under way, and all that comes later`() async throws {
    let deaf = Deaf()
    let client = try HalyardClient(fetching: deaf.fetching)
    let answers = TaskChannel<Result<ResolvedLink, HalyardError>>(capacity: .unbounded)
    for number in 0..<100 {
      client.unfurl("http://host\(number).test/").call { _ = try? answers.offer($0) }
    }
    _ = try await deaf.asked.next("the fetch")
    try await client.end()
    let ends = answers.takeNow()
    #expect(ends.count == 100)
    #expect(ends.allSatisfy { $0.failure?.kind == .cancelled })
    #expect(try await client.title("http://a.test/").answer().failure?.kind == .cancelled)
    try await client.end()
  }

  @Test func `nothing starts before it is asked for`() async throws {
    let deaf = Deaf()
    let client = try HalyardClient(fetching: deaf.fetching)
    let call = client.title("http://a.test/")
    _ = call.stream
    _ = client.results(of: ["http://a.test/"]) { $0.title($1) }
    let task = Task {
      // Until it is cancelled.
      _ = try? await TaskChannel<Void>(capacity: 1).receive()
      return await call.result()
    }
    task.cancel()
    #expect(try await soon("the answer of a cancelled call") { await task.value }.failure?.kind == .cancelled)
    try await client.end()
    #expect(deaf.asked.takeNow().isEmpty)
  }

  @Test func `a client that is dropped goes on with its calls`() async throws {
    let gone = TaskChannel<Void>(capacity: .unbounded)
    #expect(try gone.offer(()))
    let fetching = ScriptedFetching { _ in
      _ = try? await gone.receive()
      return .success(.page("<title>Kept</title>"))
    }
    func call() throws -> HalyardCall<PageInfo> {
      try HalyardClient(fetching: fetching).title("http://a.test/")
    }
    #expect(try await call().get().title == "Kept")
    let answers = TaskChannel<Result<PageInfo, HalyardError>>(capacity: .unbounded)
    try call().call { _ = try? answers.offer($0) }
    gone.close()
    #expect(try await answers.next("an answer")?.get().title == "Kept")
  }

  @Test func `a call that holds the last client can be cancelled`() async throws {
    for _ in 0..<100 {
      let tally = Tally(count: 1)
      let fetching = ScriptedFetching { _ in
        _ = try? await TaskChannel<Void>(capacity: 0).receive()
        return .success(FetchResponse(status: 200))
      }
      try HalyardClient(fetching: fetching).title("http://a.test/").call { tally.add($0, to: 0) }.cancel()
      try await tally.waitForAll()
      #expect(tally.answers == [1])
    }
  }
}
