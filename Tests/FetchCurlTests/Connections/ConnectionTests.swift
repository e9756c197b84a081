import FetchCurl
import Pipeline
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ConnectionTests {
  @Test func `two hundred exchanges at once are each answered with their own page`() async {
    let server = RawServer(echoingPath)
    let fetching = CurlFetching(settings: loopbackSettings { $0.transfers = 32 })
    defer {
      fetching.shutdown()
      server.stop()
    }
    let url = server.url
    let answers = await withTaskGroup(of: (Int, String).self) { group in
      for number in 0..<200 {
        group.addTask {
          let answer = await fetching.fetch(
            FetchRequest(url: "\(url)\(number)", body: .page(capBytes: 100), deadline: deadline()))
          return (number, (try? answer.get()).map(text) ?? "\(answer)")
        }
      }
      var answers: [Int: String] = [:]
      for await (number, text) in group { answers[number] = text }
      return answers
    }
    #expect(answers == Dictionary(uniqueKeysWithValues: (0..<200).map { ($0, "/\($0)") }))
    #expect(server.connectionCount <= 32)
  }

  /// What a keep-alive server answers to everything, and on how many connections three exchanges run.
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let reply: String
    let wish: BodyPolicy
    let connections: Int
    var testDescription: String { name }
  }

  static let rows = [
    Row(name: "a page", reply: page("hello"), wish: .page(capBytes: 100), connections: 1),
    Row(
      name: "a redirect with a small body", reply: page("moved", status: "302 Found"),
      wish: .page(capBytes: 100), connections: 1),
    Row(
      name: "a redirect with a small body in chunks",
      reply: "HTTP/1.1 302 Found\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nmoved\r\n0\r\n\r\n",
      wish: .page(capBytes: 100), connections: 1),
    Row(
      name: "a redirect with a large body",
      reply: page(String(repeating: "x", count: 200_000), status: "302 Found"), wish: .page(capBytes: 100),
      connections: 3),
    Row(name: "a body nobody wants", reply: page("hello"), wish: .nothing, connections: 1),
    Row(
      name: "a large body nobody wants", reply: page(String(repeating: "x", count: 200_000)),
      wish: .nothing, connections: 3),
    Row(
      name: "a page with a small rest beyond the cap", reply: page(String(repeating: "x", count: 50_000)),
      wish: .page(capBytes: 100), connections: 1),
    Row(
      name: "a page with a large rest beyond the cap", reply: page(String(repeating: "x", count: 500_000)),
      wish: .page(capBytes: 100), connections: 3),
  ]

  @Test(arguments: rows) func `connections are kept when little is left`(_ row: Row) async throws {
    let server = RawServer { peer in
      while peer.readRequest() != nil { peer.send(row.reply) }
    }
    let fetching = CurlFetching(settings: loopbackSettings())
    defer {
      fetching.shutdown()
      server.stop()
    }
    for _ in 0..<3 {
      let request = FetchRequest(url: server.url, body: row.wish, deadline: deadline())
      let response = try await fetching.fetch(request).get()
      #expect([200, 302].contains(response.status))
      #expect(response.body.count <= 100)
      if response.status == 302 { #expect(response.body.isEmpty && !response.truncated) }
    }
    #expect(server.connectionCount == row.connections)
  }

  @Test func `a redirect whose small rest never comes is an answer all the same`() async throws {
    let settings = loopbackSettings { $0.restLimit = 150 }
    let response = try await exchange(settings: settings) { peer in
      _ = peer.readRequest()
      peer.send("HTTP/1.1 301 Moved\r\nLocation: /x\r\nContent-Length: 100\r\n\r\nonly this")
      peer.awaitHangUp()
    }.get()
    #expect(response.header("Location") == "/x")
    #expect(response.body.isEmpty)
    #expect(!response.truncated)
  }

  @Test(arguments: ["Content-Length: 100\r\n\r\nshort", "Content-Encoding: gzip\r\n\r\nnot gzip at all"])
  func `a broken body of a redirect does not matter`(_ rest: String) async throws {
    let reply = "HTTP/1.1 302 Found\r\nLocation: /x\r\n" + rest
    #expect(try await exchange(with: replying(reply)).get().header("Location") == "/x")
  }
}

/// Answers every request with its path.
private func echoingPath(_ peer: RawPeer) {
  while let request = peer.readRequest() {
    peer.send(page(request.split(separator: " ").dropFirst().first.map(String.init) ?? ""))
  }
}
