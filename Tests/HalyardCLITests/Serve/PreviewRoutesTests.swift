import Assembly
import Foundation
import HTTPMessages
import HalyardConcurrency
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
  /// Answers no call until it is stopped.
  private struct SilentBackend: CallBackend {
    let end = TaskChannel<Void>(capacity: .conflating)

    func run(_ session: CallSession) async throws { _ = try await end.receive() }
  }

  private struct Broken: Error {}

  private struct BrokenBackend: CallBackend {
    func run(_ session: CallSession) async throws { throw Broken() }
  }

  private typealias Answer = (status: Int, head: String, body: String)

  private struct Service {
    let routes: PreviewRoutes
    let calls: CallCore

    init(_ words: String..., isBroken: Bool = false) throws {
      guard case .run(let arguments) = try Invocation.parse(["serve"] + words, environment: [:]) else {
        throw Broken()
      }
      let access = try PreviewAccess(arguments, at: .loopback)
      calls = CallCore(isBroken ? BrokenBackend() : SilentBackend(), maxCalls: 1)
      let desk = PreviewDesk(
        calls: calls, store: Lock(PreviewStore()), file: nil, reading: Reading(), clock: SystemClock())
      routes = PreviewRoutes(
        access: access, answers: PreviewAnswers(desk: desk, access: access, pages: []),
        explanations: LinkExplanations(settings: nil, reading: Reading(), access: access),
        readiness: Readiness(needsFleet: false),
        log: nil, firstID: UUIDv7(high: 0x7000, low: 0x8000_0000_0000_0000))
    }

    func ask(
      _ target: String, _ fields: [String] = [], method: String = "GET", host: String = "localhost"
    ) async throws -> Answer {
      let head = try PreviewRoutesTests.head("\(method) \(target)", ["Host: \(host)"] + fields)
      let client = Client(host: "127.0.0.1", network: [])
      switch routes.react(head, client) {
      case .answer(let response): return told(response)
      case .later(_, let begin):
        let answers = TaskChannel<Response>(capacity: .conflating)
        let waiting = begin { _ = try? answers.offer($0()) }
        // None comes of what never ends.
        if target.contains("timeout=0.001") { _ = try? answers.offer(waiting.late()) }
        guard let response = try await answers.receive() else { throw Broken() }
        return told(response)
      case .task(_, let work):
        guard case .whole(let response) = await work(Request(head: head, body: [])) else { throw Broken() }
        return told(response)
      }
    }

    /// Begins what an answer waits for.
    ///
    /// - Returns: How many wait for the fetch, and what is to be called when one of them does no more.
    func begin(_ target: String) throws -> (waiting: () -> Int, one: Waiting) {
      let head = try PreviewRoutesTests.head("GET \(target)", ["Host: localhost"])
      guard case .later(_, let begin) = routes.react(head, Client(host: "127.0.0.1", network: [])) else {
        throw Broken()
      }
      let flight = routes.answers.desk.fetch(
        try PreviewQuestion(query: head.query, kind: .title, as: .row).key)
      let one = begin { _ in }
      return ({ flight.waiting }, one)
    }

    private func told(_ response: Response) -> Answer {
      var bytes: [UInt8] = []
      response.head.write(
        to: &bytes, length: response.body.count, date: [], keepsAlive: true, isVersion11: true)
      let head = String(decoding: bytes, as: UTF8.self)
      return (response.head.status, head, String(decoding: response.body, as: UTF8.self))
    }
  }

  private static func head(_ line: String, _ fields: [String]) throws -> RequestHead {
    var parser = RequestParser()
    parser.receive(
      Array((["\(line) HTTP/1.1"] + fields).map { $0 + "\r\n" }.joined().utf8) + Array("\r\n".utf8))
    guard case .head(let head) = parser.next() else { throw Broken() }
    return head
  }

  @Test(arguments: ["/iframely", "/api/iframely"])
  func `clients of iframely find every error in its member`(_ path: String) async throws {
    let folder = try TemporaryDirectory()
    let tokens = folder.file("tokens")
    let content = Data("chat 0123456789abcdef rate=0.2\n".utf8)
    #expect(
      FileManager.default.createFile(
        atPath: tokens, contents: content, attributes: [.posixPermissions: 0o600]))
    let service = try Service("--deny-host", "denied.test")
    let guarded = try Service("--token-file", tokens)
    let known = ["Authorization: Bearer 0123456789abcdef"]
    let busy = try Service()
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
      (503, try await Service(isBroken: true).ask("\(path)?url=b.test")),
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
    let service = try Service()
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
    let service = try Service("--allow-origin", "https://chat.example.org")
    for path in ["/", "/healthz", "/v1/preview", "/nothing"] {
      let plain = try await service.ask(path)
      #expect(plain.head.contains("\r\nVary: Origin\r\n") && !plain.head.contains("Access-Control-"))
    }
    let shared = try await service.ask("/v1/preview", ["Origin: https://chat.example.org"])
    #expect(shared.head.contains("\r\nAccess-Control-Allow-Origin: https://chat.example.org\r\n"))
    #expect(try await !Service().ask("/v1/preview", ["Origin: https://a.test"]).head.contains("\r\nVary:"))
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
    #expect(throws: UsageError.self) { try Service("--allow-origin", origin) }
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
      let answer = try await Service("--allow-origin", allowed).ask("/healthz", ["Origin: \(origin)"])
      #expect(answer.head.contains("\r\nAccess-Control-Allow-Origin: \(origin)\r\n"), "\(answer)")
    }
  }

  @Test func `only a preflight of an allowed origin is told what its page may send`() async throws {
    let service = try Service("--allow-origin", "https://chat.example.org")
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
      let answer = try await Service().ask(path, method: "DELETE")
      #expect(answer.status == 405 && answer.head.contains("\r\nAllow: \(methods)\r\n"), "\(answer)")
    }
  }

  @Test func `a body is refused where none belongs, before anything is fetched`() async throws {
    let service = try Service()
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
    let service = try Service("--token-file", tokens)
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
    let service = try Service()
    for target in ["/v1/preview?url=&wait=0", "/v1/preview?wait=0", "/v1/preview?url=no+link&wait=0"] {
      #expect(try await service.ask(target).status == 400)
    }
    #expect(try await service.ask("/v1/preview?url=a.test&wait=0").status == 202)
  }

  @Test func `each kind of problem has a page, and so has each kind of failure`() throws {
    let kinds = ["pending", "denied-host", "unsupported-media-type"] + FailureKind.allCases.map(\.rawValue)
    for kind in kinds { #expect(ProblemPage.html(of: kind, root: "../") != nil, "\(kind)") }
    #expect(ProblemPage.html(of: "nothing", root: "../") == nil)
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
    guard case .run(let arguments) = try Invocation.parse(words, environment: [:]) else { throw Broken() }
    let access = try PreviewAccess(arguments, at: .loopback)
    let told = trusted.contains("10.0.0.0/8") ? "198.51.100.7, 10.0.0.2" : "198.51.100.7, 203.0.113.9"
    let head = try Self.head("GET /", ["Host: localhost", "X-Forwarded-For: 192.0.2.1, \(told)"])
    #expect(access.address(of: Client(host: peer, network: []), head) == client)
  }

  @Test func `a proxy is an address, a range or the socket`() {
    #expect(throws: UsageError.self) {
      try Invocation.parse(["serve", "--trusted-proxy", "nginx"], environment: [:])
    }
  }
}
