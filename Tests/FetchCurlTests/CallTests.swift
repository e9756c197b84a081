import FetchCurl
import Pipeline
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CallTests {
  @Test func `a cancelled call hangs up and ends in cancelled`() async {
    let (requests, arrived) = AsyncStream.makeStream(of: String.self)
    let (hangUps, left) = AsyncStream.makeStream(of: Bool.self)
    let server = RawServer { peer in
      arrived.yield(peer.readRequest() ?? "")
      left.yield(peer.awaitHangUp())
    }
    let fetching = CurlFetching(settings: loopbackSettings())
    defer {
      fetching.shutdown()
      server.stop()
    }
    let url = server.url
    let call = Task {
      await fetching.fetch(FetchRequest(url: url, body: .nothing, deadline: deadline()))
    }
    await first(of: requests)
    call.cancel()
    let failure = await call.value.failure
    #expect(failure == Failure(.cancelled, at: .firstByte, "fetch \(url): cancelled"))
    #expect(await first(of: hangUps) == true)
  }

  @Test func `a call from a cancelled task dials nobody`() async {
    let server = RawServer(replying(page("")))
    let fetching = CurlFetching(settings: loopbackSettings())
    defer {
      fetching.shutdown()
      server.stop()
    }
    let url = server.url
    let answer = await withTaskGroup(of: Answer.self) { group in
      group.cancelAll()
      group.addTask {
        await fetching.fetch(FetchRequest(url: url, body: .nothing, deadline: deadline()))
      }
      return await group.next()
    }
    #expect(answer?.failure?.kind == .cancelled)
    #expect(server.connectionCount == 0)
  }

  @Test func `shutdown ends running and waiting exchanges in cancelled`() async {
    let (requests, arrived) = AsyncStream.makeStream(of: String.self)
    let server = RawServer { peer in
      arrived.yield(peer.readRequest() ?? "")
      peer.awaitHangUp()
    }
    defer { server.stop() }
    let fetching = CurlFetching(settings: loopbackSettings { $0.transfers = 2 })
    let url = server.url
    let kinds = await withTaskGroup(of: FailureKind?.self) { group in
      for _ in 0..<20 {
        group.addTask {
          await fetching.fetch(FetchRequest(url: url, body: .nothing, deadline: deadline())).failure?.kind
        }
      }
      await first(of: requests)
      fetching.shutdown()
      var kinds: [FailureKind?] = []
      for await kind in group { kinds.append(kind) }
      return kinds
    }
    #expect(kinds == [FailureKind?](repeating: .cancelled, count: 20))
  }

  @Test func `shutdown may be called again, and later calls end in cancelled`() async {
    let fetching = CurlFetching(settings: loopbackSettings())
    fetching.shutdown()
    fetching.shutdown()
    let answer = await fetching.fetch(
      FetchRequest(url: "http://127.0.0.1/", body: .nothing, deadline: deadline()))
    #expect(answer.failure == Failure(.cancelled, at: .queue, "fetch http://127.0.0.1/: cancelled"))
  }

  @Test func `calls that are cancelled while they start are answered once`() async {
    let server = RawServer { peer in
      while peer.readRequest() != nil { peer.send(page("ok")) }
    }
    let fetching = CurlFetching(settings: loopbackSettings { $0.transfers = 8 })
    defer {
      fetching.shutdown()
      server.stop()
    }
    let url = server.url
    let calls = (0..<300).map { _ in
      Task { await fetching.fetch(FetchRequest(url: url, body: .nothing, deadline: deadline())) }
    }
    for call in calls.enumerated() where call.offset % 3 != 0 { call.element.cancel() }
    for (offset, call) in calls.enumerated() {
      let kind = await call.value.failure?.kind
      #expect(kind == nil || (kind == .cancelled && offset % 3 != 0))
    }
  }
}
