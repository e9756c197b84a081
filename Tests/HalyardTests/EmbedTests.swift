import PipelineTesting
import Posix
import Testing

/// What users see of `--oembed`.
@Suite(.timeLimit(.minutes(10)))
struct EmbedTests {
  private static let answer = #"{"type":"video","title":"V","author_name":"Ann","provider_name":"Tube"}"#

  /// A site of pages, each of which names the endpoint that its path tells.
  private final class Site: Sendable {
    private let log: Lock<[String]>
    private let server: RawServer

    init() {
      let log = Lock<[String]>([])
      self.log = log
      server = RawServer { peer in
        while let request = peer.readRequest() {
          let path = request.split(separator: " ").dropFirst().first.map(String.init) ?? ""
          log.withLock { $0.append(path) }
          Self.answer(path, to: peer)
        }
      }
    }

    deinit { server.stop() }

    var asked: [String] { log.withLock { $0 } }

    func url(_ path: String) -> String { "\(server.url.dropLast())\(path)" }

    private static func answer(_ path: String, to peer: RawPeer) {
      switch path {
      case "/o/good": send(EmbedTests.answer, "application/json", to: peer)
      case "/o/full", "/o/over":
        let spaces = String(repeating: " ", count: (64 << 10) - EmbedTests.answer.utf8.count)
        send(EmbedTests.answer + spaces + (path == "/o/full" ? "" : " "), "application/json", to: peer)
      case "/o/long": peer.send("HTTP/1.1 302 Found\r\nLocation: /o/good\r\nContent-Length: 0\r\n\r\n")
      case "/o/loop": peer.send("HTTP/1.1 302 Found\r\nLocation: /o/loop\r\nContent-Length: 0\r\n\r\n")
      case "/o/inside":
        peer.send("HTTP/1.1 302 Found\r\nLocation: http://10.0.0.1/\r\nContent-Length: 0\r\n\r\n")
      case "/o/endless":
        peer.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n[")
        while peer.send(String(repeating: "1,", count: 4_096)) {}
      case "/o/page": send("<title>No</title>", "text/html", to: peer)
      default:
        let link = "<link rel=alternate type=application/json+oembed href='\(endpoint(of: path))'>"
        send("<title>\(path)</title>\(link)", "text/html", to: peer)
      }
    }

    private static func endpoint(of path: String) -> String {
      switch path {
      case "/self": "/self"
      case "/private": "http://10.0.0.1/oembed"
      default: "/o\(path)"
      }
    }

    private static func send(_ body: String, _ type: String, to peer: RawPeer) {
      peer.send(
        "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }
  }

  private let site = Site()

  @Test func `a page's endpoint is asked, and whatever it does the page is ok`() async throws {
    let ways: [(path: String, fault: String?)] = [
      ("/good", nil), ("/long", nil), ("/loop", "redirect_loop"), ("/inside", "blocked_address"),
      ("/private", "blocked_address"),
      ("/full", nil), ("/over", "body_too_large"), ("/endless", "body_too_large"),
      ("/page", "data_parsing_failed"), ("/self", "redirect_loop"),
    ]
    let ended = try await Child(
      ["title", "--oembed", "--ordered"] + ways.map { site.url($0.path) } + loopback
    ).ended()
    #expect(ended.status == 0, "\(ended.messages)")
    let rows = try ended.rows()
    #expect(rows.map(\.outcome) == ways.map { _ in "ok" })
    #expect(rows.map { $0["title"] } == ways.map(\.path))
    #expect(rows.map { $0["card.embed_error.kind"] } == ways.map(\.fault))
    #expect(rows.map { $0["card.author"] } == ways.map { $0.fault == nil ? "Ann" : nil })
    #expect(
      rows.compactMap { $0["card.embed_error.message"] }.count {
        $0.hasSuffix(": the body is larger than 65536 bytes")
      } == 2)
    #expect(site.asked.count { $0 == "/self" } == 1)
  }

  @Test func `without the option no endpoint is asked`() async throws {
    let ended = try await Child(["title", site.url("/good")] + loopback).ended()
    let rows = try ended.rows()
    #expect(rows.map { $0["card.oembed"] } == [site.url("/o/good")])
    #expect(site.asked == ["/good"])
  }

  @Test func `a line of JSONL says it for itself, and a fleet does it`() async throws {
    let fleet = try await UpFleet()
    let lines = ["true", "false", "null"].map { #"{"url":"\#(site.url("/good"))","oembed":\#($0)}"# + "\n" }
    let own = try await Child(
      ["title", "-", "--input-format", "jsonl", "--ordered"] + fleet.words, input: .text(lines.joined())
    ).ended()
    #expect(try own.rows().map { $0["card.embed.title"] } == ["V", nil, nil], "\(own.messages)")
    let submitted = try await Child(
      ["submit", "--oembed", "--name", "embeds", site.url("/good")] + fleet.words
    )
    .ended()
    #expect(submitted.status == 0, "\(submitted.messages)")
    let rows = try await Child(["results", "embeds", "--follow"] + fleet.words).ended().rows()
    #expect(rows.map { $0["card.embed.title"] } == ["V"])
    try await fleet.stop()
  }
}
