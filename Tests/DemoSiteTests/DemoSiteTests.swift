import Posix
import Testing

@testable import DemoSite

@Suite(.timeLimit(.minutes(1)))
struct DemoSiteTests {
  private func withSite(_ body: (DemoSite, RawClient) async throws -> Void) async throws {
    let site = try DemoSite.start()
    defer { site.stop() }
    let port = try #require(UInt16(site.base.dropFirst("http://127.0.0.1:".count)))
    try await body(site, RawClient(port: port))
  }

  @Test(arguments: ["lamp", "ship", "icon"])
  func `the pictures that pages name are there`(name: String) async throws {
    try await withSite { (_, client) async throws in
      let answer = try await client.get("/images/\(name).png")
      #expect(answer.statusLine == "HTTP/1.1 200 OK")
      #expect(answer.headers["content-type"] == "image/png")
      #expect(answer.body.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
    }
  }

  @Test(arguments: [
    ("/", "200 OK", nil), ("/pages/lighthouse", "200 OK", nil), ("/pages/slow", "200 OK", nil),
    ("/nothing", "404 Not Found", nil), ("/api/users/13", "404 Not Found", nil),
    ("/api/x", "404 Not Found", nil),
    ("/s/light", "301 Moved Permanently", "http://demo.test/moved/harbour"),
    ("/moved/harbour", "302 Found", "http://demo.test/moved/pier"),
    ("/moved/pier", "308 Permanent Redirect", "http://demo.test/pages/lighthouse"),
    ("/s/relative", "302 Found", "../pages/lighthouse?from=relative#lamp"),
    ("/loop/port", "302 Found", "/loop/starboard"), ("/loop/starboard", "302 Found", "/loop/port"),
    ("/s/mail", "302 Found", "mailto:keeper@example.org"), ("/s/nowhere", "302 Found", nil),
    ("/s/private", "302 Found", "http://10.0.0.1/"),
  ])
  func `an address answers with its status and Location`(path: String, status: String, location: String?)
    async throws
  {
    try await withSite { (_, client) async throws in
      let response = try await client.get(path)
      #expect(response.statusLine == "HTTP/1.1 \(status)")
      #expect(response.headers["location"] == location)
    }
  }

  @Test func `a connection is kept until the client asks to close it`() async throws {
    try await withSite { (_, client) async throws in
      #expect(try await client.get("/pages/entities").headers["connection"] == nil)
      #expect(try await client.get("/", headers: "Connection: Close\r\n").headers["connection"] == "close")
      #expect(try await client.isAtEnd())
    }
  }

  @Test func `HEAD has no body and other methods are refused`() async throws {
    try await withSite { (_, client) async throws in
      let length = try await client.get("/").body.count
      try client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try await client.read(hasBody: false).headers["content-length"] == "\(length)")
      try client.send("DELETE / HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try await client.read().statusLine == "HTTP/1.1 405 Method Not Allowed")
    }
  }

  @Test(arguments: [
    "Host: b", "Content-Length: 3\r\nTransfer-Encoding: chunked", "Content-Length: 1\r\nContent-Length: 2",
  ])
  func `what two servers could read differently is refused, and nothing is read behind it`(field: String)
    async throws
  {
    try await withSite { (_, client) async throws in
      try client.send(
        "GET / HTTP/1.1\r\nHost: a\r\n\(field)\r\n\r\nGET /pages/film HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try await client.read().statusLine == "HTTP/1.1 400 Bad Request")
      #expect(try await client.isAtEnd())
    }
  }

  @Test func `a slow page that is under way does not keep the site from stopping`() async throws {
    try await withSite { (site, client) async throws in
      #expect(try await client.get("/").statusLine == "HTTP/1.1 200 OK")
      try client.send("GET /pages/slow HTTP/1.1\r\nHost: a\r\n\r\n")
      site.stop()
      #expect(try await client.isAtEnd())
    }
  }

  @Test(arguments: [
    ("/pages/shift-jis", "text/html; charset=Shift_JIS", [0x93, 0xFA, 0x96, 0x7B] as [UInt8]),
    ("/pages/windows-1251", "text/html", [0xCF, 0xF0, 0xE8, 0xE2]),
    ("/pages/latin-1", "text/html; charset=ISO-8859-1", [0x49, 0x74, 0x92, 0x73]),
    ("/pages/gbk", "text/html", [0xD6, 0xD0, 0xCE, 0xC4]),
  ])
  func `a foreign page is sent in its own charset`(path: String, contentType: String, start: [UInt8])
    async throws
  {
    try await withSite { (_, client) async throws in
      let response = try await client.get(path)
      #expect(response.headers["content-type"] == contentType)
      let title = try #require(
        response.body.indices.first { response.body[$0...].starts(with: Array("<title>".utf8)) })
      #expect(response.body[(title + 7)...].starts(with: start))
    }
  }

  @Test func `people come in pages of six, and each has a home page`() async throws {
    try await withSite { (_, client) async throws in
      let first = try await client.get("/api/users?page=1")
      #expect(first.headers["content-type"] == "application/json")
      let opening =
        #"{"page":1,"per_page":6,"total":12,"total_pages":2,"data":[{"id":1,"email":"ada@example.org","#
      #expect(first.text.hasPrefix(opening))
      #expect(try await client.get("/api/users").text == first.text)
      #expect(try await client.get("/api/users?page=2").text.contains(#""id":12,"#))
      for page in ["3", "0", "-9223372036854775808", "9223372036854775807"] {
        #expect(try await client.get("/api/users?page=\(page)").text.hasSuffix(#""data":[]}"#))
      }
      #expect(try await client.get("/api/users/7").text.contains(#""home_page":"http://demo.test/people/7""#))
      #expect(try await client.get("/people/7").text.contains("<title>Gro Gangway</title>"))
    }
  }

  @Test func `the compressed page is valid gzip`() async throws {
    try await withSite { (_, client) async throws in
      let response = try await client.get("/pages/compressed")
      #expect(response.headers["content-encoding"] == "gzip")
      let page = Array("<!doctype html><title>Unpacked at the quay</title>".utf8)
      #expect(response.body.count == page.count + 23)
      #expect(response.body.prefix(4).elementsEqual([0x1F, 0x8B, 8, 0]))
      #expect(
        response.body[10...].prefix(5).elementsEqual([1, UInt8(page.count), 0, ~UInt8(page.count), 0xFF]))
      #expect(response.body[15...].starts(with: page))
    }
  }

  @Test func `every link of the demo that is on the site has something behind it`() async throws {
    try await withSite { (site, client) async throws in
      for link in site.links where link.url.hasPrefix(site.base) {
        let status = try await client.get(String(link.url.dropFirst(site.base.count))).statusLine
        #expect(status.contains("404") == (link.expected == "http_status"), "\(link.url)")
      }
      #expect(Set(site.links.map(\.kind)) == ["unfurl", "title", "decode"])
      #expect(Set(site.links.map { "\($0.kind) \($0.url)" }).count == site.links.count)
    }
  }

  @Test func `the dead link is refused as long as the site runs`() async throws {
    try await withSite { (site, _) async throws in
      let dead = try #require(site.links.first { $0.expected == "connect" })
      let port = try #require(UInt16(dead.url.split(separator: ":")[2].dropLast()))
      let error = #expect(throws: PosixError.self) { try StreamSocket.connect(port: port) }
      #expect(error?.message == "connect: Connection refused")
    }
  }
}
