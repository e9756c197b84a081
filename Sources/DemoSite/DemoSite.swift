import HTTPMessages
import HTTPServer
package import Posix

/// A small web site on loopback with one example of everything Halyard answers, for `halyard demo` and for tests.
package final class DemoSite: Sendable {
  private let server: HTTPServer
  private let port: UInt16
  /// A port that is taken but refuses connections: the site's dead link.
  private let deadEnd: Listener

  private init(server: HTTPServer, port: UInt16, deadEnd: Listener) {
    (self.server, self.port, self.deadEnd) = (server, port, deadEnd)
  }

  /// Serves on `port` of 127.0.0.1, or on one the system chooses for 0.
  package static func start(port: UInt16 = 0) throws(PosixError) -> DemoSite {
    let listener = try Listener(port: port)
    let server = try HTTPServer([listener], Service { request, _ in react(to: request) })
    return DemoSite(server: server, port: listener.port, deadEnd: try Listener(refusing: true))
  }

  /// The site's origin, such as `http://127.0.0.1:40123`.
  package var base: String { "http://127.0.0.1:\(port)" }

  /// The links `halyard demo` follows, each with what is to come of it.
  package var links: [DemoLink] {
    DemoLink.all(base: base, deadEnd: "http://127.0.0.1:\(deadEnd.port)/")
  }

  /// Closes all connections.
  package func stop() {
    server.stop()
  }
}

private func react(to request: RequestHead) -> Reaction {
  let response = route(request)
  guard request.path == slowPage else { return .answer(response) }
  return .task { _ in
    try? await Task.sleep(for: .milliseconds(400))
    return .whole(response)
  }
}

private func route(_ request: RequestHead) -> Response {
  guard request.method == .get || request.method == .head else {
    var response = Response(ResponseHead(405))
    response.head.add("Allow", "GET, HEAD")
    return response
  }
  return redirects(request) ?? feeds(request) ?? people(request) ?? picture(at: request.path)
    ?? page(at: request.path)
    ?? .page("<!doctype html><title>Nothing moored here</title><p>No such page.", status: 404)
}
