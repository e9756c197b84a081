import DemoSite
import Foundation
import JSONQuery
import PipelineTesting
import Posix
import Testing

/// Previews over HTTP, as programs and browsers ask for them.
@Suite(.timeLimit(.minutes(10)))
struct ServeTests {
  /// A service that a test started.
  struct Service {
    let child: Child
    let port: UInt16

    init(_ words: String...) async throws { try await self.init(words) }

    init(_ words: [String]) async throws {
      child = try Child(["serve", "--http", "127.0.0.1:0"] + words)
      let line = "halyard: previews are served at http://127.0.0.1:"
      guard await child.messages.holds(line, silenceAtMost: 60) else {
        throw Child.Overdue(what: line, messages: child.messages.text)
      }
      let digits = child.messages.text.split(separator: line, maxSplits: 1).last?.prefix { $0.isNumber }
      port = try #require(digits.flatMap { UInt16($0) })
    }

    func ask(
      _ target: String, method: String = "GET", host: String? = nil, _ fields: [String] = [],
      body: String = ""
    ) throws -> (status: Int, head: String, body: String) {
      let socket = try StreamSocket.connect(port: port)
      let lines =
        ["\(method) \(target) HTTP/1.1", "Host: \(host ?? "127.0.0.1:\(port)")", "Connection: close"] + fields
      let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
      try socket.write(Array(((lines + length).joined(separator: "\r\n") + "\r\n\r\n" + body).utf8))
      var bytes: [UInt8] = []
      while case let part = try socket.read(milliseconds: 60_000), !part.isEmpty { bytes += part }
      let parts = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n\r\n", maxSplits: 1)
      let status = try #require(parts.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) })
      return (status, parts.first.map(String.init) ?? "", parts.count > 1 ? String(parts[1]) : "")
    }

    func end() async throws {
      child.terminate()
      #expect(try await child.ended().status == 0)
    }
  }

  private func json(_ text: String) throws -> JSONValue { try JSONDocument(parsing: Array(text.utf8)).root }

  @Test func `a link is fetched once, and told in every shape`() async throws {
    let site = try DemoSite.start()
    defer { site.stop() }
    let service = try await Service("--allow-address", String(site.base.dropFirst("http://".count)))
    let link = "\(site.base)/s/light"
    let preview = try service.ask("/v1/preview?url=\(link)")
    #expect(preview.status == 200 && preview.head.contains("Cache-Status: halyard; fwd=miss; stored"))
    let body = try json(preview.body)
    #expect(body["link"]?.string == link && body["hops"]?.count == 3)
    #expect(body["card"]?["title"]?.string == "Notes from the lighthouse")
    let again = try service.ask("/v1/preview?url=\(link)")
    #expect(again.body == preview.body && again.head.contains("Cache-Status: halyard; hit"))
    let tag = try #require(again.head.split(separator: "\r\n").first { $0.hasPrefix("ETag: ") }).dropFirst(
      "ETag: ".count)
    #expect(try service.ask("/v1/preview?url=\(link)", ["If-None-Match: \(tag)"]).status == 304)
    #expect(try json(service.ask("/oembed?url=\(link)").body)["type"]?.string == "link")
    #expect(try json(service.ask("/iframely?url=\(link)").body)["links"]?.kind == .array)
    #expect(try json(service.ask("/api/iframely?url=\(link)").body)["links"]?.kind == .object)
    #expect(try service.ask("/?links=\(link)").body.contains("<b>Notes from the lighthouse</b>"))
    #expect(try service.ask("/metrics").body.contains("\nhalyard_preview_fetches_total 1\n"))
    try await service.end()
  }

  @Test func `several links are told as they come, and what is wrong with one of them is its line`()
    async throws
  {
    let site = try DemoSite.start()
    defer { site.stop() }
    let service = try await Service("--allow-address", String(site.base.dropFirst("http://".count)))
    let answer = try service.ask(
      "/v1/previews", method: "POST", ["Content-Type: text/plain"],
      body: "\(site.base)/pages/lighthouse\nnot a link\nhttp://10.0.0.1/")
    #expect(answer.status == 200 && answer.head.contains("Transfer-Encoding: chunked"))
    let lines = answer.body.split(separator: "\r\n").filter { $0.hasPrefix("{") }.map(String.init)
    let told = try lines.map { try json($0) }
    #expect(Set(told.compactMap { $0["n"]?.int64 }) == [0, 1, 2])
    #expect(told.first { $0["n"]?.int64 == 0 }?["title"]?.string == "The lighthouse keeper’s notes")
    #expect(told.first { $0["n"]?.int64 == 1 }?["kind"]?.string == "invalid_input")
    #expect(told.first { $0["n"]?.int64 == 1 }?["link"]?.string == "not a link")
    #expect(told.first { $0["n"]?.int64 == 2 }?["kind"]?.string == "blocked_address")
    try await service.end()
  }

  @Test func `who is not asked for by name, or from another site, is refused`() async throws {
    let service = try await Service()
    #expect(try service.ask("/", host: "evil.example").status == 403)
    for fields in [["Sec-Fetch-Site: cross-site"], ["Origin: null"], ["Origin: http://127.0.0.1:1"]] {
      let answer = try service.ask(
        "/v1/previews", method: "POST", fields + ["Content-Type: text/plain"], body: "http://a.test/")
      #expect(answer.status == 403)
      #expect(try json(answer.body)["kind"]?.string == "cross-site")
      let instance = try #require(try json(answer.body)["instance"]?.string)
      let id = try #require(UUID(uuidString: String(instance.dropFirst("urn:uuid:".count))))
      #expect(answer.head.contains("X-Request-Id: \(id.uuidString.lowercased())"))
    }
    #expect(try service.ask("/nothing").status == 404)
    let malformed = try service.ask("/", ["Host: twice"])
    #expect(malformed.status == 400)
    #expect(
      try json(malformed.body)["instance"]?.string.flatMap { UUID(uuidString: String($0.dropFirst(9))) }
        != nil)
    #expect(try service.ask("/v1/preview", method: "DELETE").status == 405)
    #expect(try service.ask("/problems/timeout").body.contains("A time limit passed"))
    try await service.end()
  }

  @Test func `nothing is fetched of a denied host, wherever it is met`() async throws {
    let site = try TwoHosts()
    let service = try await Service(
      "--allow-address", "127.0.0.1", "--allow-address", "::1", "--deny-host", "localhost")
    let asked = try service.ask("/v1/preview?url=\(site.url(.name, "/page"))")
    #expect(asked.status == 403 && asked.body.contains("denied-host"))
    #expect(try service.ask("/v1/preview?url=\(site.url(.address, "/page"))").status == 200)
    let onTheWay = try service.ask("/v1/preview?url=\(site.url(.address, "/to/localhost/page"))")
    #expect(onTheWay.status == 403)
    let problem = try json(onTheWay.body)
    #expect(problem["kind"]?.string == "blocked_address")
    #expect(problem["detail"]?.string?.contains("links of localhost:") == true, "\(onTheWay.body)")
    #expect(site.said.count == 2, "\(site.said)")
    let metrics = try service.ask("/metrics").body
    #expect(metrics.contains("\nhalyard_preview_links_total{end=\"refused\"} 1\n"), "\(metrics)")
    for cache in ["none", "waited"] {
      #expect(
        metrics.contains(
          "\nhalyard_preview_responses_total{route=\"/v1/preview\",status=\"403\",cache=\"\(cache)\"} 1\n"))
    }
    #expect(metrics.contains("\nhalyard_preview_seconds_count{cache=\"waited\"} 2\n"))
    try await service.end()
  }

  @Test func `an address of other machines needs tokens, and a token is asked for there`() async throws {
    let refused = try await halyard("serve", "--http", "0.0.0.0:0")
    #expect(refused.status == 64 && refused.messages.contains("--token-file"))
    let folder = try Folder()
    let file = try folder.path("tokens", holding: "chat 0123456789abcdef rate=1\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    let service = try await Service("--token-file", file)
    #expect(try service.ask("/v1/preview?url=http://10.0.0.1/").status == 401)
    #expect(try service.ask("/healthz").status == 200)
    let told = try service.ask("/v1/preview?url=http://10.0.0.1/", ["Authorization: Bearer 0123456789abcdef"])
    #expect(told.status == 403 && told.body.contains("blocked_address"))
    #expect(try service.ask("/api/iframely?url=http://10.0.0.1/&api_key=0123456789abcdef").status == 403)
    let statuses = try (0..<12).map { _ in
      try service.ask("/healthz?", ["Authorization: Bearer 0123456789abcdef"]).status
    }
    #expect(statuses.allSatisfy { $0 == 200 }, "probes count for nobody")
    let many = try (0..<12).map { _ in
      try service.ask("/v1/preview?url=http://10.0.0.1/", ["Authorization: Bearer 0123456789abcdef"]).status
    }
    #expect(many.contains(429))
    try await service.end()
  }

  @Test func `a restart keeps answers that are in a file, unless a new one is asked for`() async throws {
    let (site, folder) = (try TestSite(), try Folder())
    let words = loopback + ["--cache-file", try folder.path("answers.db")]
    let target = "/v1/preview?url=\(site.url("/page/kept"))"
    let first = try await Service(words)
    let body = try first.ask(target).body
    try await first.end()
    let second = try await Service(words)
    #expect(try second.ask(target).body == body)
    #expect(site.requests.count == 1)
    let anew = try second.ask("\(target)&refresh=1")
    #expect(anew.status == 200 && anew.head.contains("\r\nCache-Control: no-cache\r\n"))
    #expect(site.requests.count == 2)
    let list = try second.ask("/v1/previews?refresh=1", method: "POST", body: site.url("/page/kept"))
    #expect(list.status == 200 && list.body.contains(#""n":0,"link":"#))
    #expect(site.requests.count == 3)
    try await second.end()
    let denying = try await Service(words + ["--deny-host", "other.test"])
    #expect(try denying.ask(target).status == 200)
    #expect(
      site.requests.count == 4, "what was fetched without the list may have come by way of a host in it")
    try await denying.end()
  }

  @Test func `why a link is shown as it is stands on a page`() async throws {
    let site = try TwoHosts()
    let service = try await Service(
      "--allow-address", "127.0.0.1", "--allow-address", "::1", "--deny-host", "localhost")
    let link = site.url(.address, "/to/localhost/page")
    let page = try service.ask("/?links=\(link)").body
    let way = try #require(page.split(separator: "href=\"").first { $0.hasPrefix("explain?") })
    let answer = try service.ask("/\(way.prefix { $0 != "\"" })")
    #expect(answer.status == 200 && answer.head.contains("Content-Security-Policy: default-src 'none'"))
    #expect(
      answer.body.contains("<span>1  GET \(link)</span>") && answer.body.contains("302 with a Location"))
    #expect(answer.body.contains("<span>failed: blocked_address</span>"), "\(answer.body)")
    #expect(try service.ask("/explain?url=\(site.url(.name, "/page"))").status == 403)
    #expect(try service.ask("/explain?url=no+link").status == 400)
    #expect(
      try service.ask("/explain?url=\(site.url(.address, "/held/page"))&timeout=0.1").body.contains(
        "deadline"))
    try await service.end()
  }

  @Test func `a fleet fetches the links while its service asks whether it is there`() async throws {
    let directory = try TemporaryDirectory()
    let site = try TestSite()
    let fleet = try await UpFleet(workers: [], in: directory)
    let service = try await Service("--fleet", directory.file("run"), "--wait", "30s")
    let target = "/v1/preview?url=\(site.url("/page/kept"))&timeout=30"
    let end = SystemTime.monotonicMicroseconds + 120_000_000
    while SystemTime.monotonicMicroseconds < end, try service.ask("/readyz").status != 200 {
      await Task.yield()
    }
    let answer = try service.ask(target)
    #expect(answer.status == 200, "\(answer.body)")
    let explanation = try service.ask("/explain?url=\(site.url("/page/kept"))")
    #expect(explanation.status == 501 && explanation.body.contains("a fleet fetches the links"))
    #expect(try !service.ask("/?links=\(site.url("/page/kept"))").body.contains("explain?"))
    try await service.end()
    try await fleet.stop()
  }

  @Test func `a service is ready while its fleet answers`() async throws {
    let directory = try TemporaryDirectory()
    let service = try await Service("--fleet", directory.file("run"), "--wait", "1s")
    /// Asks until the service says so: each question of its own to the fleet ends in time.
    func becomes(_ status: Int) async throws -> Bool {
      let end = SystemTime.monotonicMicroseconds + 120_000_000
      while SystemTime.monotonicMicroseconds < end {
        if try service.ask("/readyz").status == status { return true }
        await Task.yield()
      }
      return false
    }
    let early = try service.ask("/readyz")
    #expect(early.status == 503 && early.body.contains("links cannot be fetched now"))
    #expect(try service.ask("/healthz").status == 200)
    let fleet = try await UpFleet(in: directory)
    #expect(try await becomes(200))
    try await fleet.stop()
    #expect(try await becomes(503))
    try await service.end()
  }
}
