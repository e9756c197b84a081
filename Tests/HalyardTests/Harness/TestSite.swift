import DemoSite
import Posix

/// A site on loopback whose paths tell how it behaves.
///
/// `/page/…` answers at once, `/wait/MS/…` after a while, `/held/…` when released, `/mute/…` never, `/hops/N` after N
/// redirects, `/gone/…` with 404, `/late/…` with 404 the first time, `/json` a document, `/tagged/…` a page with an ETag, `/flaky/…` closes the first connection without an answer, `/private` leads into a private network.
final class TestSite: Sendable {
  /// Counts requests as they arrive.
  let requests: Tally
  private let server: LoopbackServer
  private let gate: StopSignal

  init() throws {
    let (requests, gate, flaky) = (Tally(), try StopSignal(), Lock<Set<String>>([]))
    (self.requests, self.gate) = (requests, gate)
    server = try LoopbackServer.start { exchange throws(PosixError) in
      requests.add()
      return try Self.answer(exchange, gate, flaky)
    }
  }

  deinit {
    gate.raise()
    server.stop()
  }

  func url(_ path: String) -> String { "http://127.0.0.1:\(server.port)\(path)" }

  /// Lets every held request have its answer.
  func release() { gate.raise() }

  private static func answer(
    _ exchange: Exchange, _ gate: StopSignal, _ flaky: Lock<Set<String>>
  ) throws(PosixError) -> AfterAnswer {
    let path = exchange.request.path
    let parts = path.split(separator: "/")
    let number = parts.count > 1 ? Int32(parts[1]) ?? 0 : 0
    switch parts.first {
    case "wait": try exchange.delay(milliseconds: number)
    case "held": try? gate.sleep(milliseconds: 120_000)
    case "mute": try exchange.delay(milliseconds: 30_000)
    case "flaky":
      if flaky.withLock({ $0.insert(path).inserted }) { return .close }
    case "gone": return try content(exchange, "text/html", missing, status: "404 Not Found")
    case "late":
      if flaky.withLock({ $0.insert(path).inserted }) {
        return try content(exchange, "text/html", missing, status: "404 Not Found")
      }
    case "json":
      return try content(exchange, "application/json", #"{"list":["one","two"]}"#)
    case "hops" where number > 0:
      return try redirect(exchange, to: "/hops/\(number - 1)")
    case "tagged":
      return try tagged(exchange, "<!doctype html><title>\(path)</title>")
    case "private":
      return try redirect(exchange, to: "http://10.0.0.1/")
    default: break
    }
    return try content(exchange, "text/html", "<!doctype html><title>\(path)</title>")
  }

  private static let missing = "<!doctype html><title>missing</title>"

  /// A page that tells when it has not changed.
  private static func tagged(_ exchange: Exchange, _ page: String) throws(PosixError) -> AfterAnswer {
    let isKnown = exchange.request.headers.contains { $0.value == "\"v1\"" }
    let head =
      isKnown
      ? "HTTP/1.1 304 Not Modified\r\n"
      : "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: \(page.utf8.count)\r\n"
    try exchange.write(Array("\(head)ETag: \"v1\"\r\n\r\n\(isKnown ? "" : page)".utf8))
    return .keepAlive
  }

  private static func redirect(_ exchange: Exchange, to target: String) throws(PosixError) -> AfterAnswer {
    try exchange.write(
      Array("HTTP/1.1 302 Found\r\nLocation: \(target)\r\nContent-Length: 0\r\n\r\n".utf8))
    return .keepAlive
  }

  private static func content(
    _ exchange: Exchange, _ type: String, _ text: String, status: String = "200 OK"
  ) throws(PosixError) -> AfterAnswer {
    let head = "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: \(text.utf8.count)\r\n\r\n"
    try exchange.write(Array((head + text).utf8))
    return .keepAlive
  }
}

/// Lets the program talk to the sites of the tests.
let loopback = ["--allow-address", "127.0.0.1"]
