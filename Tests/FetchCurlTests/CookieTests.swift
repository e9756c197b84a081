import FetchCurl
import Pipeline
import PipelineTesting
import Synchronization
import Testing

/// Cookies as libcurl's engine has them, for one job and no other.
@Suite(.timeLimit(.minutes(10)))
struct CookieTests {
  /// Requests of several exchanges with one server over one adapter; the first answer sets cookies.
  private func requests(
    setting cookies: [String], then paths: [(path: String, keeps: Bool)], headers: [HeaderField] = []
  ) async throws -> [String] {
    let seen = Mutex<[String]>([])
    let server = RawServer { peer in
      while let request = peer.readRequest() {
        let isFirst = seen.withLock { seen in
          seen.append(request)
          return seen.count == 1
        }
        peer.send(page("x", headers: isFirst ? cookies.map { "Set-Cookie: \($0)" } : []))
      }
    }
    let fetching = CurlFetching(settings: loopbackSettings())
    defer {
      fetching.shutdown()
      server.stop()
    }
    var kept: [String] = []
    for (path, keeps) in [("/", true)] + paths {
      var request = FetchRequest(
        url: "http://a.localhost:\(server.port)\(path)", headers: headers, body: .nothing,
        deadline: deadline())
      request.cookies = keeps ? kept : []
      let response = try await fetching.fetch(request).get()
      if keeps { kept = response.cookies }
    }
    return seen.withLock { $0 }.dropFirst().map { request in
      request.split(separator: "\r\n").filter { $0.hasPrefix("Cookie:") }.joined(separator: " | ")
    }
  }

  @Test(arguments: [
    ("of the host", "a=1", "/x", "Cookie: a=1"),
    ("of a path, there", "a=1; Path=/p", "/p/x", "Cookie: a=1"),
    ("of a path, elsewhere", "a=1; Path=/p", "/x", ""),
    ("for secure addresses only", "a=1; Secure", "/x", ""),
    ("of a public suffix", "a=1; Domain=localhost", "/x", ""),
    ("of another host", "a=1; Domain=b.localhost", "/x", ""),
    ("that is over", "a=1; Max-Age=0", "/x", ""),
    ("that lasts", "a=1; Max-Age=1000", "/x", "Cookie: a=1"),
  ])
  func `a cookie goes where it belongs`(_: String, cookie: String, path: String, sent: String) async throws {
    #expect(try await requests(setting: [cookie], then: [(path, true)]) == [sent])
  }

  @Test func `a cookie never goes to another job, over the same connection`() async throws {
    let sent = try await requests(setting: ["a=1"], then: [("/x", false), ("/y", true), ("/z", false)])
    #expect(sent == ["", "Cookie: a=1", ""])
  }

  @Test func `a given cookie and those that were set go in one line`() async throws {
    let sent = try await requests(
      setting: ["a=1"], then: [("/x", true)],
      headers: [HeaderField("cookie", "b=2"), HeaderField("X-A", "1")])
    #expect(sent == ["Cookie: a=1; b=2"])
  }

  @Test func `a response tells all cookies of the job, and none when there are none`() async throws {
    let plain = try await exchange(with: replying(page("x"))).get()
    #expect(plain.cookies.isEmpty)
    let response = try await exchange(with: replying(page("x", headers: ["Set-Cookie: a=1; Path=/p"]))).get()
    #expect(response.cookies == ["127.0.0.1\tFALSE\t/p\tFALSE\t0\ta\t1"])
  }
}
