import Foundation
import HTTPMessages
import JSONQuery
import LinkPreviews
import Pipeline
import PipelineTesting
import Posix
import Roles
import Testing

@testable import HTTPServer
@testable import HalyardCLI

/// What is under which path, for whom, without a network.
@Suite(.timeLimit(.minutes(1)))
struct PreviewRoutesTests {
  @Test(arguments: ["/iframely", "/api/iframely"])
  func `clients of iframely find every error in its member`(_ path: String) async throws {
    let folder = try TemporaryDirectory()
    let tokens = folder.file("tokens")
    let content = Data("chat 0123456789abcdef rate=0.2\n".utf8)
    #expect(
      FileManager.default.createFile(
        atPath: tokens, contents: content, attributes: [.posixPermissions: 0o600]))
    let service = try ServiceUnderTest("--deny-host", "denied.test")
    let guarded = try ServiceUnderTest("--token-file", tokens)
    let known = ["Authorization: Bearer 0123456789abcdef"]
    let busy = try ServiceUnderTest()
    _ = try await busy.ask("/v1/preview?url=a.test&wait=0")
    let askedTwice = ["\(path)?api_key=0123456789abcdef", path]
    for target in askedTwice { _ = try await guarded.ask(target, known) }
    let answers = [
      (400, try await service.ask(path)), (400, try await service.ask("\(path)?url=%20")),
      (400, try await service.ask("\(path)?url=a.test&timeout=no")),
      (403, try await service.ask("\(path)?url=denied.test")),
      (403, try await guarded.ask("\(path)?url=a.test")), (429, try await guarded.ask(path, known)),
      (403, try await service.ask("\(path)?url=a.test", [], host: "other.test")),
      (405, try await service.ask(path, method: "DELETE")),
      (408, try await service.ask("\(path)?url=a.test&timeout=0.001")),
      (503, try await busy.ask("\(path)?url=b.test")),
      (503, try await ServiceUnderTest(isBroken: true).ask("\(path)?url=b.test")),
    ]
    for (status, answer) in answers {
      #expect(answer.status == status, "\(answer)")
      let error = try JSONDocument(parsing: Array(answer.body.utf8)).root["error"]
      #expect(error?["code"]?.int64 == Int64(status) && error?["source"]?.string == "iframely")
      #expect(error?["message"]?.string?.isEmpty == false && answer.head.contains("application/json"))
    }
    #expect(answers.filter { $0.0 == 429 }.allSatisfy { $0.1.head.contains("\r\nRetry-After: ") })
  }

  @Test(arguments: [true, false])
  func `nothing is kept of a client that waits no longer`(leaves: Bool) throws {
    let service = try ServiceUnderTest()
    let (waiting, one) = try service.begin("/v1/preview?url=https://lamp.test/")
    let (_, other) = try service.begin("/v1/preview?url=https://lamp.test/")
    #expect(waiting() == 2)
    if leaves { one.left() } else { #expect(one.late().head.status == 504) }
    #expect(waiting() == 1)
    let told = String(
      decoding: PrometheusText.write(service.routes.answers.desk.families), as: UTF8.self)
    #expect(told.contains(#"halyard_preview_links_total{end="left"} \#(leaves ? 1 : 0)"#))
    #expect(told.contains(#"halyard_preview_links_total{end="late"} \#(leaves ? 0 : 1)"#))
    other.left()
    #expect(waiting() == 0)
  }

  @Test func `what an answer depends on is said to those who send no Origin, too`() async throws {
    let service = try ServiceUnderTest("--allow-origin", "https://chat.example.org")
    for path in ["/", "/healthz", "/v1/preview", "/nothing"] {
      let plain = try await service.ask(path)
      #expect(plain.head.contains("\r\nVary: Origin\r\n") && !plain.head.contains("Access-Control-"))
    }
    let shared = try await service.ask("/v1/preview", ["Origin: https://chat.example.org"])
    #expect(shared.head.contains("\r\nAccess-Control-Allow-Origin: https://chat.example.org\r\n"))
    #expect(
      try await !ServiceUnderTest().ask("/v1/preview", ["Origin: https://a.test"]).head.contains("\r\nVary:"))
  }

  @Test(
    arguments: [
      "foo", "https://a.test/", "a.test", "https://A.test", "https://a.test:443", "http:a.test",
      "HTTP://a.test",
      "NULL", "app://", "://a.test", "capacitor:localhost", "capacitor://LOCALHOST",
      "capacitor://localhost/",
      "capacitor://localhost:x", "capacitor://localhost:1:2", "app://a?b",
    ])
  func `what no browser sends as an origin is not taken for one`(_ origin: String) throws {
    #expect(throws: UsageError.self) { try ServiceUnderTest("--allow-origin", origin) }
  }

  @Test(
    arguments: [
      "https://a.test", "http://127.0.0.1:8080", "http://[::1]:1", "null", "capacitor://localhost",
      "app://a:8080",
      "chrome-extension://abcdefghijklmnopabcdefghijklmnop",
      "moz-extension://0b0c8f3e-5b0a-4f0e-9d6c-2f1a3b4c5d6e",
    ])
  func `what browsers and web views send as an origin may read answers`(_ origin: String) async throws {
    for allowed in [origin, "*"] {
      let answer = try await ServiceUnderTest("--allow-origin", allowed).ask(
        "/healthz", ["Origin: \(origin)"])
      #expect(answer.head.contains("\r\nAccess-Control-Allow-Origin: \(origin)\r\n"), "\(answer)")
    }
  }

  @Test func `only a preflight of an allowed origin is told what its page may send`() async throws {
    let service = try ServiceUnderTest("--allow-origin", "https://chat.example.org")
    let origin = "Origin: https://chat.example.org"
    let wanted = "Access-Control-Request-Method: POST"
    let preflight = try await service.ask("/v1/previews", [origin, wanted], method: "OPTIONS")
    #expect(preflight.status == 204 && preflight.head.contains("\r\nAccess-Control-Allow-Methods: POST\r\n"))
    for fields in [[], [origin], [wanted], ["Origin: https://a.test", wanted]] {
      let plain = try await service.ask("/v1/previews", fields, method: "OPTIONS")
      #expect(plain.status == 204 && plain.head.contains("\r\nAllow: POST, OPTIONS\r\n"), "\(plain)")
      #expect(!plain.head.contains("Access-Control-Allow-Methods"), "\(plain)")
    }
    #expect(
      try await service.ask("/oembed", method: "OPTIONS").head.contains("Allow: GET, HEAD, OPTIONS\r\n"))
  }

  @Test func `a method that an address does not take is refused with those that it takes`() async throws {
    for (path, methods) in [("/v1/preview", "GET, HEAD"), ("/cards", "POST"), ("/nothing", "GET, HEAD")] {
      let answer = try await ServiceUnderTest().ask(path, method: "DELETE")
      #expect(answer.status == 405 && answer.head.contains("\r\nAllow: \(methods)\r\n"), "\(answer)")
    }
  }

  @Test func `a body is refused where none belongs, before anything is fetched`() async throws {
    let service = try ServiceUnderTest()
    let answer = try await service.ask("/v1/preview?url=a.test&wait=0", ["Content-Length: 5"])
    #expect(answer.status == 413 && answer.body.contains("no body here"))
    #expect(try await service.ask("/v1/preview?url=a.test&wait=0").status == 202)
  }

  @Test func `a token is found beside a key of the link, and what the page loads needs none`() async throws {
    let folder = try TemporaryDirectory()
    let tokens = folder.file("tokens")
    #expect(
      FileManager.default.createFile(
        atPath: tokens, contents: Data("chat 0123456789abcdef\n".utf8), attributes: [.posixPermissions: 0o600]
      ))
    let service = try ServiceUnderTest("--token-file", tokens)
    for target in [
      "/iframely?url=http://a.test/m?key=public&api_key=0123456789abcdef&wait=0",
      "/iframely?api_key=0123456789abcdef&wait=0&url=http://a.test/100%",
    ] {
      #expect(try await service.ask(target).status != 403, "\(target)")
    }
    #expect(try await service.ask("/iframely?url=http://a.test/m?key=public").status == 403)
    #expect(try await service.ask("/problems/timeout").status == 200)
    #expect(try await service.ask("/\(PreviewPages.style.path)").status == 200)
    #expect(try await service.ask("/").status == 401)
    let page = try await service.ask("/?api_key=0123456789abcdef")
    #expect(
      page.status == 200
        && page.body.contains(#"<input type="hidden" name="api_key" value="0123456789abcdef">"#))
  }

  @Test func `what is no link is refused, even if nobody waits`() async throws {
    let service = try ServiceUnderTest()
    for target in ["/v1/preview?url=&wait=0", "/v1/preview?wait=0", "/v1/preview?url=no+link&wait=0"] {
      #expect(try await service.ask(target).status == 400)
    }
    #expect(try await service.ask("/v1/preview?url=a.test&wait=0").status == 202)
  }

  @Test(
    arguments: [
      (["10.0.0.1"], nil, "unix"), (["unix"], nil, "203.0.113.9"),
      (["unix", "10.0.0.0/8"], nil, "198.51.100.7"), ([], "10.0.0.1", "10.0.0.1"),
      (["10.0.0.0/8"], "10.0.0.1", "198.51.100.7"), (["unix"], "10.0.0.1", "10.0.0.1"),
    ] as [([String], String?, String)])
  func `who asks is what a trusted proxy says, also over a Unix socket`(
    _ trusted: [String], _ peer: String?, _ client: String
  ) throws {
    var words = ["serve"]
    for proxy in trusted { words += ["--trusted-proxy", proxy] }
    guard case .run(let arguments) = try Invocation.parse(words, environment: [:]) else {
      throw ServiceUnderTest.Broken()
    }
    let access = try PreviewAccess(arguments, at: .loopback)
    let told = trusted.contains("10.0.0.0/8") ? "198.51.100.7, 10.0.0.2" : "198.51.100.7, 203.0.113.9"
    let head = try ServiceUnderTest.head("GET /", ["Host: localhost", "X-Forwarded-For: 192.0.2.1, \(told)"])
    #expect(access.address(of: Client(host: peer, network: []), head) == client)
  }

  @Test func `a proxy is an address, a range or the socket`() {
    #expect(throws: UsageError.self) {
      try Invocation.parse(["serve", "--trusted-proxy", "nginx"], environment: [:])
    }
  }
}
