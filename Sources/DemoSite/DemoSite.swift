import Compression
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

extension Response {
  static func page(_ html: String, status: Int = 200) -> Response {
    Response(ResponseHead(status, contentType: "text/html; charset=utf-8"), body: Array(html.utf8))
  }

  static func page(_ bytes: [UInt8], contentType: StaticString) -> Response {
    Response(ResponseHead(200, contentType: contentType), body: bytes)
  }

  static func json(_ text: String, status: Int = 200) -> Response {
    Response(ResponseHead(status, contentType: "application/json"), body: Array(text.utf8))
  }

  /// A redirect, or one that forgets to say where to.
  static func redirect(_ status: Int, to location: String?) -> Response {
    var response = Response(ResponseHead(status))
    if let location { response.head.add("Location", location) }
    return response
  }
}

extension RequestHead {
  func query(_ name: String) -> String? { queryItems?.first { $0.name == name }?.value }
}

/// Wraps fewer than 65,536 bytes as gzip (RFC 1952) in one stored block, which every decoder must accept.
func gzipStored(_ bytes: [UInt8]) -> [UInt8] {
  let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
  return header + storedBlock(bytes) + littleEndian(crc32(bytes.span)) + littleEndian(UInt32(bytes.count))
}

/// The only block of a stream, as it is (RFC 1951).
func storedBlock(_ bytes: [UInt8]) -> [UInt8] {
  let length = UInt16(bytes.count)
  return [1] + littleEndian(length) + littleEndian(~length) + bytes
}

func littleEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
  stride(from: 0, to: Number.bitWidth, by: 8).map { UInt8(truncatingIfNeeded: number >> $0) }
}
