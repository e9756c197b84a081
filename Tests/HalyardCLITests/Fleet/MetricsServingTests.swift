import Foundation
import HTTPServer
import Pipeline
import PipelineTesting
import Posix
import Roles
import Testing

@testable import HalyardCLI

@Suite(.timeLimit(.minutes(2)))
struct MetricsServingTests {
  private struct Shown: MetricsSource {
    var page: MetricsPage?
  }

  /// Remembers where metrics are served.
  private final class PlaceLog: Log {
    let place = Lock("")

    func record(_ level: LogLevel, _ message: StaticString, _ metadata: [LogField]) {
      place.withLock { $0 = metadata.first?.value ?? "" }
    }
  }

  private struct Served {
    let server: HTTPServer
    let place: String
    let port: UInt16

    init(at text: String = "0", isConfined: Bool = false) throws {
      let (log, clock) = (PlaceLog(), ManualClock())
      let plan = try #require(MetricsPlan(text))
      let shown = Shown(page: MetricsPage([], at: clock.now))
      server = try plan.serve(shown, clock: clock, log: log, isConfined: isConfined)
      let place = log.place.withLock { $0 }
      self.place = place
      port = try #require(place.split(separator: ":").last.flatMap { UInt16($0) })
    }

    /// All that comes until the server closes.
    func ask(_ request: String) throws -> String {
      let socket = try StreamSocket.connect(port: port)
      try socket.write(Array(request.utf8))
      var answer: [UInt8] = []
      while case let part = try socket.read(milliseconds: 30_000), !part.isEmpty { answer += part }
      return String(decoding: answer, as: UTF8.self)
    }

    func page() throws -> String {
      try ask("GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    }
  }

  private static let okay = "\r\n\r\nok\n"

  @Test(arguments: [
    ("GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "200 OK", "halyard_ready 1\n"),
    ("GET /metrics?a=b HTTP/1.0\r\n\r\n", "200 OK", "halyard_ready 1\n"),
    ("HEAD /metrics HTTP/1.0\r\n\r\n", "200 OK", "Connection: close\r\n\r\n"),
    ("GET /healthz HTTP/1.0\r\n\r\n", "200 OK", okay),
    ("GET /other HTTP/1.0\r\n\r\n", "404 Not Found", "/readyz\n"),
    ("POST /metrics HTTP/1.0\r\n\r\n", "405 Method Not Allowed", "only GET and HEAD\n"),
    ("GET /metrics\r\n\r\n", "400 Bad Request", "malformed request line\n"),
  ])
  func `a request gets its answer`(request: String, status: String, end: String) throws {
    let answer = try Served().ask(request)
    #expect(answer.hasPrefix("HTTP/1.1 \(status)\r\n"))
    #expect(answer.hasSuffix(end))
    #expect(
      answer.contains("\r\nContent-Type: text/plain; version=0.0.4")
        == (status == "200 OK" && end != Self.okay))
  }

  @Test func `idle connections hold up nobody, and the oldest give way`() throws {
    let served = try Served()
    let idle = try (0..<60).map { _ in try StreamSocket.connect(port: served.port) }
    #expect(try served.page().hasSuffix("halyard_ready 1\n"))
    // Sooner than it would be closed for being idle.
    #expect(try idle[0].read(milliseconds: 10_000).isEmpty)
    withExtendedLifetime(idle) {}
  }

  @Test func `a scraper keeps its connection`() throws {
    let served = try Served()
    let socket = try StreamSocket.connect(port: served.port)
    for _ in 0..<2 {
      try socket.write(Array("HEAD /metrics HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
      let answer = String(decoding: try socket.read(milliseconds: 30_000), as: UTF8.self)
      #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n") && !answer.contains("Connection"))
    }
  }

  @Test func `it also serves at an IPv6 address`() throws {
    #expect(try Served(at: "[::1]:0").place.hasPrefix("[::1]:"))
  }

  @Test func `an address that is none, or is taken, cannot be served`() throws {
    let served = try Served()
    for text in ["localhost:0", "\(served.port)"] {
      #expect(throws: CannotServe.self) { try Served(at: text) }
    }
  }

  @Test func `a confined server answers, and its threads can do no more`() async {
    await #expect(processExitsWith: .success) {
      let served = try Served(isConfined: true)
      for _ in 0..<2 {
        guard try served.page().hasSuffix("halyard_ready 1\n") else { exit(1) }
      }
      let idle = try (0..<60).map { _ in try StreamSocket.connect(port: served.port) }
      guard try served.page().hasSuffix("halyard_ready 1\n") else { exit(2) }
      withExtendedLifetime(idle) {}
      let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").map {
        try String(contentsOfFile: "/proc/self/task/\($0)/status", encoding: .utf8)
      }
      guard let thread = threads.first(where: { $0.hasPrefix("Name:\thttp\n") }) else { exit(3) }
      guard thread.contains("\nSeccomp:\t2\n"), thread.contains("\nNoNewPrivs:\t1\n") else { exit(4) }
    }
  }
}
