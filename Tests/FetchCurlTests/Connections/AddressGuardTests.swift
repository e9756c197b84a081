import FetchCurl
import Pipeline
import PipelineTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10)))
struct AddressGuardTests {
  @Test func `a refused address is never dialled, and the message says how to allow it`() async {
    let server = RawServer(replying(page("secret")))
    defer { server.stop() }
    let fetching = CurlFetching(settings: CurlSettings(now: wallClock) { _, _ in "loopback" })
    let answer = await fetching.fetch(
      FetchRequest(url: server.url, body: .page(capBytes: 100), deadline: deadline()))
    fetching.shutdown()
    var failure = Failure(
      .blockedAddress, at: .address,
      "fetch \(server.url): address 127.0.0.1 is refused (loopback);"
        + " allow it with --allow-address 127.0.0.1:\(server.port)")
    failure.refusedAddress = "127.0.0.1:\(server.port)"
    #expect(answer.failure == failure)
    #expect(server.connectionCount == 0)
  }

  @Test func `IPv6 addresses are guarded too`() async {
    let fetching = CurlFetching(
      settings: CurlSettings(now: wallClock) { address, _ in address == "::1" ? "loopback" : nil })
    defer { fetching.shutdown() }
    let answer = await fetching.fetch(
      FetchRequest(url: "http://[::1]:\(UnusedPort.number)/", body: .nothing, deadline: deadline()))
    #expect(answer.failure?.kind == .blockedAddress)
    #expect(answer.failure?.message.contains("address ::1 is refused") == true)
    #expect(answer.failure?.message.hasSuffix("--allow-address [::1]:\(UnusedPort.number)") == true)
  }

  @Test func `the port counts`() async {
    let server = RawServer(replying(page("hello")))
    defer { server.stop() }
    let allowed = server.port
    let fetching = CurlFetching(
      settings: CurlSettings(now: wallClock) { _, port in port == allowed ? nil : "loopback" })
    defer { fetching.shutdown() }
    func answer(_ url: String) async -> Answer {
      await fetching.fetch(FetchRequest(url: url, body: .page(capBytes: 100), deadline: deadline()))
    }
    #expect(await answer(server.url).failure == nil)
    #expect(await answer("http://127.0.0.1:\(UnusedPort.number)/").failure?.kind == .blockedAddress)
  }

  @Test func `a name that leads to a refused address is refused`() async {
    let fetching = CurlFetching(settings: CurlSettings(now: wallClock) { _, _ in "loopback" })
    defer { fetching.shutdown() }
    let answer = await fetching.fetch(
      FetchRequest(url: "http://localhost:\(UnusedPort.number)/", body: .nothing, deadline: deadline()))
    #expect(answer.failure?.kind == .blockedAddress)
  }

  @Test func `a connection made while it was allowed is refused when it is used again`() async {
    let server = RawServer { peer in
      while peer.readRequest() != nil { peer.send(page("ok")) }
    }
    defer { server.stop() }
    let isRefused = Flag()
    let fetching = CurlFetching(
      settings: CurlSettings(now: wallClock) { _, _ in isRefused.isRaised ? "changed" : nil })
    defer { fetching.shutdown() }
    func request() -> FetchRequest {
      FetchRequest(url: server.url, body: .page(capBytes: 100), deadline: deadline())
    }
    let first = await fetching.fetch(request())
    #expect(first.failure == nil)
    isRefused.raise()
    let second = await fetching.fetch(request())
    #expect(second.failure?.kind == .blockedAddress)
    #expect(server.connectionCount == 1)
  }

  @Test func `when one address of a name is refused, an allowed one is used`() async {
    let server = RawServer(replying(page("hello")))
    defer { server.stop() }
    let fetching = CurlFetching(
      settings: CurlSettings(now: wallClock) { address, _ in address == "127.0.0.1" ? nil : "loopback" })
    defer { fetching.shutdown() }
    let answer = await fetching.fetch(
      FetchRequest(
        url: "http://localhost:\(server.port)/", body: .page(capBytes: 100), deadline: deadline()))
    #expect((try? answer.get())?.remoteAddress == "127.0.0.1")
  }
}

final class Flag: Sendable {
  private let value = Atomic(false)

  var isRaised: Bool { value.load(ordering: .sequentiallyConsistent) }

  func raise() {
    value.store(true, ordering: .sequentiallyConsistent)
  }
}
