import FetchCurl
import Pipeline
import PipelineTesting
import Testing

/// The first bytes of a page, for whom the rest does not matter.
@Suite(.timeLimit(.minutes(10)))
struct PageStartTests {
  private let wish = BodyPolicy.startOfPage(capBytes: 5)

  @Test(arguments: ["text/html", "Text/HTML; charset=x", "application/xhtml+xml", "text / html,x"])
  func `the start of a page is kept and does not count as cut`(type: String) async throws {
    let reply = replying(page("1234567", headers: ["Content-Type: \(type)"]))
    let response = try await exchange(wish, with: reply).get()
    #expect(text(response) == "12345")
    #expect(!response.truncated)
  }

  @Test func `what does not say what it is may be a page`() async throws {
    #expect(text(try await exchange(wish, with: replying(page("123"))).get()) == "123")
  }

  @Test(arguments: ["image/png", "application/json", "text/plain", "text/html5"])
  func `of anything else nothing is kept`(type: String) async throws {
    let reply = replying(page("1234567", headers: ["Content-Type: \(type)"]))
    #expect(try await exchange(wish, with: reply).get().body.isEmpty)
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n123",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n123\r\nnonsense",
    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\n123",
  ])
  func `a broken body is no failure`(reply: String) async throws {
    let response = try await exchange(wish, with: replying(reply)).get()
    #expect(response.status == 200)
    #expect(!response.truncated)
  }

  @Test func `a page may begin as late as a response`() async throws {
    let response = try await exchange(wish, settings: loopbackSettings { $0.restLimit = 50 }) { peer in
      _ = peer.readRequest()
      peer.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
      guard !peer.awaitHangUp(milliseconds: 400) else { return }
      peer.send("12345")
    }.get()
    #expect(text(response) == "12345")
    #expect(!response.truncated)
  }

  @Test func `a page that pauses after its beginning is not waited for, and counts as cut`() async throws {
    let response = try await exchange(
      wish, deadline: deadline(inMilliseconds: 60_000), settings: loopbackSettings { $0.restLimit = 100 }
    ) { peer in
      _ = peer.readRequest()
      peer.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n123")
      peer.awaitHangUp()
    }.get()
    #expect(text(response) == "123")
    #expect(response.truncated)
  }

  @Test func `a page that keeps coming is read on, up to the limit for its beginning`() async throws {
    let settings = loopbackSettings { ($0.restLimit, $0.firstByteLimit) = (300, 900) }
    let response = try await exchange(
      .startOfPage(capBytes: 1_000), deadline: deadline(inMilliseconds: 60_000), settings: settings
    ) { peer in
      _ = peer.readRequest()
      peer.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
      while peer.send("x"), !peer.awaitHangUp(milliseconds: 50) {}
    }.get()
    #expect(response.body.count > 7)
    #expect(response.truncated)
  }

  @Test(arguments: [(60_000, 300), (300, 60_000)] as [(Int64, Int64)])
  func `headers without a page end with the limit for its beginning, or with the deadline`(
    limit: Int64, firstByteLimit: Int64
  ) async throws {
    let server = RawServer { peer in
      _ = peer.readRequest()
      peer.send("HTTP/1.1 203 Fine\r\nContent-Length: 100\r\n\r\n")
      peer.awaitHangUp()
    }
    let fetching = CurlFetching(settings: loopbackSettings { $0.firstByteLimit = firstByteLimit })
    defer {
      fetching.shutdown()
      server.stop()
    }
    // Where other tests keep nothing busy; long before the other limit in any case.
    let (answer, milliseconds) = await Task(executorPreference: fetching.executor) {
      let start = wallClock()
      let request = FetchRequest(url: server.url, body: wish, deadline: deadline(inMilliseconds: limit))
      let answer = await fetching.fetch(request)
      return (answer, wallClock().milliseconds(since: start))
    }.value
    let response = try answer.get()
    #expect(response.status == 203 && response.body.isEmpty && response.truncated)
    #expect((200..<30_000).contains(milliseconds))
  }

  @Test func `an endless page is given up after its start`() async throws {
    let response = try await exchange(.startOfPage(capBytes: 1_000)) { peer in
      _ = peer.readRequest()
      peer.send("HTTP/1.1 200 OK\r\n\r\n")
      while peer.send([UInt8](repeating: 120, count: 10_000)) {}
    }.get()
    #expect(response.body.count == 1_000)
  }
}
