package import Posix

/// A small web site on loopback with one example of everything Halyard answers, for `halyard demo` and for tests.
package final class DemoSite: Sendable {
  private let server: LoopbackServer
  /// A port that is taken but refuses connections: the site's dead link.
  private let deadEnd: Listener

  private init(server: LoopbackServer, deadEnd: Listener) {
    self.server = server
    self.deadEnd = deadEnd
  }

  /// Serves on `port` of 127.0.0.1, or on one the system chooses for 0.
  package static func start(port: UInt16 = 0) throws(PosixError) -> DemoSite {
    let server = try LoopbackServer.start(port: port, handler: answer)
    return DemoSite(server: server, deadEnd: try Listener(refusing: true))
  }

  /// The site's origin, such as `http://127.0.0.1:40123`.
  package var base: String { "http://127.0.0.1:\(server.port)" }

  /// The links `halyard demo` follows, each with what is to come of it.
  package var links: [DemoLink] {
    DemoLink.all(base: base, deadEnd: "http://127.0.0.1:\(deadEnd.port)/")
  }

  /// Closes all connections and waits until the site's threads have ended.
  package func stop() {
    server.stop()
  }
}

private func answer(_ exchange: Exchange) throws(PosixError) -> AfterAnswer {
  let request = exchange.request
  let answer = route(request)
  let closing = request.header("connection")?.lowercased() == "close"
  if answer.delayMilliseconds > 0 { try exchange.delay(milliseconds: answer.delayMilliseconds) }
  try exchange.write(answer.bytes(withBody: request.method != "HEAD", closing: closing))
  return closing ? .close : .keepAlive
}

private func route(_ request: RequestHead) -> Answer {
  guard request.method == "GET" || request.method == "HEAD" else {
    return Answer(status: 405, headers: [("Allow", "GET, HEAD")])
  }
  return redirects(request) ?? feeds(request) ?? people(request) ?? picture(at: request.path)
    ?? page(at: request.path)
    ?? .page("<!doctype html><title>Nothing moored here</title><p>No such page.", status: 404)
}
