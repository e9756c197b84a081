import PipelineTesting
import Posix

/// A site on loopback whose paths tell how it behaves.
///
/// `/page/…` answers at once, `/wait/MS/…` after a while, `/held/…` when released, `/mute/…` never, `/hops/N` after N
/// redirects, `/gone/…` with 404, `/late/…` with 404 the first time, `/json` a document, `/tagged/…` a page with an ETag, `/flaky/…` closes the first connection without an answer, `/private` leads into a private network.
final class TestSite: Sendable {
  /// Counts requests as they arrive.
  let requests: Tally
  private let server: RawServer
  private let gate: StopSignal

  init() throws {
    let (requests, gate, flaky) = (Tally(), try StopSignal(), Lock<Set<String>>([]))
    (self.requests, self.gate) = (requests, gate)
    server = RawServer { peer in
      peer.answerEach { request in
        requests.add()
        return Self.answer(request, peer, gate, flaky)
      }
    }
  }

  deinit {
    gate.raise()
    server.stop()
  }

  func url(_ path: String) -> String { "\(server.url.dropLast())\(path)" }

  /// Lets every held request have its answer.
  func release() { gate.raise() }

  private static func answer(
    _ request: SiteRequest, _ peer: RawPeer, _ gate: StopSignal, _ flaky: Lock<Set<String>>
  ) -> Bool {
    let path = request.path
    let parts = path.split(separator: "/")
    let number = parts.count > 1 ? Int32(parts[1]) ?? 0 : 0
    let page = "<!doctype html><title>\(path)</title>"
    switch parts.first {
    case "wait":
      if peer.awaitHangUp(milliseconds: number) { return false }
    case "held": try? gate.sleep(milliseconds: 120_000)
    case "mute":
      if peer.awaitHangUp(milliseconds: 30_000) { return false }
    case "flaky":
      if flaky.withLock({ $0.insert(path).inserted }) { return false }
    case "gone": return peer.send("404 Not Found", body: missing)
    case "late":
      if flaky.withLock({ $0.insert(path).inserted }) { return peer.send("404 Not Found", body: missing) }
    case "json": return peer.send(type: "application/json", body: #"{"list":["one","two"]}"#)
    case "hops" where number > 0: return peer.redirect(to: "/hops/\(number - 1)")
    case "tagged":
      // It tells when it has not changed.
      guard request["if-none-match"] == "\"v1\"" else { return peer.send(fields: tag, body: page) }
      return peer.send("HTTP/1.1 304 Not Modified\r\n\(tag)\r\n")
    case "private": return peer.redirect(to: "http://10.0.0.1/")
    default: break
    }
    return peer.send(body: page)
  }

  private static let missing = "<!doctype html><title>missing</title>"
  private static let tag = "ETag: \"v1\"\r\n"
}

/// Lets the program talk to the sites of the tests.
let loopback = ["--allow-address", "127.0.0.1"]
