import FetchCurl
import Pipeline
import PipelineTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ProxyTests {
  /// What goes through a proxy is guarded by name before the proxy hears of it.
  @Test func `an http proxy is given the link, without its own address being guarded`() async throws {
    let proxy = RawServer { peer in
      while let request = peer.readRequest() { peer.send(page(request)) }
    }
    defer { proxy.stop() }
    let answer = await fetch("http://192.0.2.7/path", through: "http://127.0.0.1:\(proxy.port)") {
      address, _ in address == "127.0.0.1" ? "loopback" : nil
    }
    let response = try answer.get()
    #expect(text(response).hasPrefix("GET http://192.0.2.7/path HTTP/1.1\r\nHost: 192.0.2.7\r\n"))
    #expect(response.remoteAddress == nil)
  }

  @Test(arguments: [
    "http://127.0.0.1/", "http://localhost/", "https://[::1]/", "http://169.254.169.254/latest",
  ])
  func `a refused address is not asked of a proxy`(_ url: String) async {
    let proxy = RawServer(replying(page("secret")))
    defer { proxy.stop() }
    let answer = await fetch(url, through: "http://127.0.0.1:\(proxy.port)") { _, _ in "special" }
    #expect(answer.failure?.kind == .blockedAddress)
    #expect(answer.failure?.stage == .address)
    #expect(proxy.connectionCount == 0)
  }

  @Test func `a name that is none here is not asked of a proxy`() async {
    let proxy = RawServer(replying(page("secret")))
    defer { proxy.stop() }
    let name = String(repeating: "a", count: 70)
    let answer = await fetch("http://\(name).test/", through: "http://127.0.0.1:\(proxy.port)")
    #expect(answer.failure?.kind == .dns)
    #expect(answer.failure?.retryable == false)
    #expect(
      answer.failure?.message
        == "fetch http://\(name).test/: no address for \(name).test: there is no such name;"
        + " this machine has to know a name before the proxy is asked, with socks5h too")
    #expect(proxy.connectionCount == 0)
  }

  @Test func `an https link is tunnelled, and the proxy's refusal told`() async {
    let (requests, arrived) = AsyncStream.makeStream(of: String.self)
    let proxy = RawServer { peer in
      arrived.yield(peer.readRequest() ?? "")
      peer.send("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
    }
    defer { proxy.stop() }
    let answer = await fetch("https://192.0.2.7/", through: "http://127.0.0.1:\(proxy.port)")
    #expect(await first(of: requests)?.hasPrefix("CONNECT 192.0.2.7:443 HTTP/1.1\r\n") == true)
    #expect(
      answer.failure
        == Failure(
          .connect, at: .connect,
          "fetch https://192.0.2.7/: the proxy did not connect: CONNECT tunnel failed, response 403"))
  }

  @Test(arguments: ["http://192.0.2.7/", "https://192.0.2.7/"])
  func `a proxy that wants a password is not asked again`(_ url: String) async {
    let proxy = RawServer { peer in
      while peer.readRequest() != nil {
        peer.send(page("log in", status: "407 Proxy Authentication Required"))
      }
    }
    defer { proxy.stop() }
    let answer = await fetch(url, through: "http://u:secret@127.0.0.1:\(proxy.port)")
    #expect(
      answer.failure
        == Failure(
          .httpStatus, at: .connect,
          "fetch \(url): the proxy wants another user name and password (407);"
            + " give them in --proxy, as in http://USER:PASSWORD@HOST:PORT"))
    #expect(answer.failure?.retryable == false)
  }

  @Test func `a name is guarded together with the port that it is asked for`() async {
    let proxy = RawServer(replying(page("through")))
    defer { proxy.stop() }
    func answer(port: Int) async -> Answer {
      await fetch("http://127.0.0.2:\(port)/", through: "http://127.0.0.1:\(proxy.port)") { _, port in
        port == 8080 ? nil : "loopback"
      }
    }
    #expect(await answer(port: 8080).failure == nil)
    #expect(await answer(port: 8081).failure?.kind == .blockedAddress)
  }

  @Test func `a tunnel leads to the server, whose certificate counts`() async throws {
    let server = try TLSServer(.good)
    let proxy = RawServer { peer in
      guard peer.readRequest()?.hasPrefix("CONNECT 127.0.0.1:\(server.port) ") == true else { return }
      peer.send("HTTP/1.1 200 Connection established\r\nX-Of: the proxy\r\n\r\n")
      peer.passOn(toPort: server.port)
    }
    defer { proxy.stop() }
    let authority = try Certificates.shared.get().authority
    let answer = await fetch(server.url(), through: "http://127.0.0.1:\(proxy.port)", trusting: authority)
    let response = try answer.get()
    #expect(response.status == 200)
    #expect(response.header("X-Of") == nil)
  }

  @Test func `socks5h carries the name`() async throws {
    let (names, arrived) = AsyncStream.makeStream(of: [UInt8].self)
    let proxy = RawServer { peer in
      guard let greeting = peer.read(2), let methods = peer.read(Int(greeting[1])), !methods.isEmpty,
        peer.send([5, 0]), let head = peer.read(5), let rest = peer.read(Int(head[4]) + 2)
      else { return }
      arrived.yield(Array(head + rest))
      peer.send([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])
      while peer.readRequest() != nil { peer.send(page("through socks")) }
    }
    defer { proxy.stop() }
    let answer = await fetch("http://localhost:81/", through: "socks5h://127.0.0.1:\(proxy.port)")
    #expect(text(try answer.get()) == "through socks")
    #expect(await first(of: names) == [5, 1, 0, 3, 9] + [UInt8]("localhost".utf8) + [0, 81])
  }

  @Test func `a proxy that is not there is a connect failure, and its password is not told`() async {
    let answer = await fetch("http://192.0.2.7/", through: "http://u:secret@127.0.0.1:\(UnusedPort.number)")
    #expect(
      answer.failure
        == Failure(
          .connect, at: .connect,
          "fetch http://192.0.2.7/: cannot connect to the proxy: Connection refused"))
  }

  @Test func `a proxy that keeps silent ends at the connect limit`() async {
    let proxy = RawServer { $0.awaitHangUp() }
    defer { proxy.stop() }
    let answer = await fetch("https://192.0.2.7/", through: "http://127.0.0.1:\(proxy.port)")
    #expect(answer.failure?.kind == .timeout)
    #expect(answer.failure?.stage == .connect)
  }

  private func fetch(
    _ url: String, through proxy: String, trusting authority: String? = nil,
    refusal: @escaping @Sendable (String, UInt16) -> String? = { _, _ in nil }
  ) async -> Answer {
    var settings = CurlSettings(now: wallClock, refusal: refusal)
    settings.proxy = proxy
    settings.caFile = authority
    settings.connectLimit = 300
    let fetching = CurlFetching(settings: settings)
    defer { fetching.shutdown() }
    return await fetching.fetch(
      FetchRequest(url: url, body: .page(capBytes: 100_000), deadline: deadline()))
  }
}
