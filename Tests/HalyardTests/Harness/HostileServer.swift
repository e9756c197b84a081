import PipelineTesting

/// A server that means no good, and what must come of a link to it.
struct HostileServer: Sendable {
  let name: String
  let outcome: String
  /// The row's status, where the headers came.
  let status: String?
  let server: RawServer?
  let url: String

  private init(
    _ name: String, _ outcome: String, status: String? = nil, _ handler: @escaping RawServer.Handler
  ) {
    let server = RawServer(handler)
    (self.name, self.outcome, self.status, self.server, url) = (name, outcome, status, server, server.url)
  }

  private init(refusing name: String) {
    (self.name, outcome, status, server) = (name, "connect", nil, nil)
    url = "http://127.0.0.1:\(UnusedPort.number)/"
  }

  private static let ok = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
  private static let title = "<!doctype html><title>Here</title>"

  static var all: [HostileServer] {
    silent + broken + endless + bombs + redirects + [HostileServer(refusing: "nobody there")]
  }

  private static var silent: [HostileServer] {
    [
      HostileServer("says nothing", "timeout") { $0.awaitHangUp(milliseconds: 60_000) },
      HostileServer("a letter of the status at a time", "timeout") { peer in
        _ = peer.readRequest()
        peer.drip(ok + String(repeating: "X-Slow: 1\r\n", count: 100), pauseMilliseconds: 250)
      },
      HostileServer("a letter of the body at a time", "timeout", status: "200") { peer in
        _ = peer.readRequest()
        peer.send("\(ok)\r\n")
        peer.drip(String(repeating: "<p>", count: 100), pauseMilliseconds: 250)
      },
      HostileServer("half a header", "timeout") { peer in
        _ = peer.readRequest()
        peer.send("\(ok)X-Half: ")
        peer.awaitHangUp(milliseconds: 60_000)
      },
    ]
  }

  private static var broken: [HostileServer] {
    [
      HostileServer("closes", "protocol") { _ = $0.readRequest() },
      HostileServer("resets", "connect") { peer in
        _ = peer.readRequest()
        peer.resetOnClose()
      },
      HostileServer("speaks SSH", "protocol", saying("SSH-2.0-OpenSSH_9.2\r\n")),
      HostileServer(
        "a length that lies", "ok", status: "200", saying("\(ok)Content-Length: 5000\r\n\r\n\(title)")),
      HostileServer(
        "broken chunks", "protocol", status: "200", saying("\(ok)Transfer-Encoding: chunked\r\n\r\nnone\r\n")),
      HostileServer(
        "gzip that is plain", "ok", status: "200", saying("\(ok)Content-Encoding: gzip\r\n\r\n\(title)")),
      HostileServer(
        "encoded three times", "protocol", status: "200",
        saying("\(ok)Content-Encoding: gzip, gzip, gzip\r\n\r\n\(title)")),
    ]
  }

  private static var endless: [HostileServer] {
    [
      HostileServer(
        "headers without end", "header_too_large", flooding(after: ok, with: "X-Flood: 0123456789\r\n")),
      HostileServer(
        "a header line without end", "header_too_large", flooding(after: "\(ok)X-Flood: ", with: "0123456789")
      ),
      HostileServer(
        "a body without end", "ok", status: "200", flooding(after: "\(ok)\r\n\(title)", with: "<p>more</p>")),
    ]
  }

  private static var bombs: [HostileServer] {
    let bombs = [
      ("gzip", EncodedBodies.gzipBomb(mebibytes: 200)), ("br", EncodedBodies.brotliBomb),
      ("zstd", EncodedBodies.zstandardBomb(mebibytes: 200)),
    ]
    return bombs.map { coding, body in
      HostileServer("a \(coding) bomb", "missing_page_title", status: "200") { peer in
        _ = peer.readRequest()
        peer.send("\(ok)Content-Encoding: \(coding)\r\n\r\n")
        peer.send(body)
      }
    }
  }

  private static var redirects: [HostileServer] {
    [
      HostileServer("a redirect to itself", "redirect_loop", status: "302", leading(to: { $0 })),
      HostileServer("redirects without end", "too_many_redirects", status: "302", leading(to: { "\($0)0" })),
      HostileServer("a redirect inside", "blocked_address", leading(to: { _ in "http://10.0.0.1/" })),
    ]
  }

  private static func saying(_ text: String) -> RawServer.Handler {
    { peer in
      _ = peer.readRequest()
      peer.send(text)
    }
  }

  private static func flooding(after start: String, with text: String) -> RawServer.Handler {
    let flood = [UInt8](String(repeating: text, count: 500).utf8)
    return { peer in
      _ = peer.readRequest()
      peer.send(start)
      while peer.send(flood) {}
    }
  }

  private static func leading(to target: @escaping @Sendable (String) -> String) -> RawServer.Handler {
    { peer in
      while let request = peer.readRequest() {
        let path = request.split(separator: " ").dropFirst().first.map(String.init) ?? "/"
        peer.send("HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: \(target(path))\r\n\r\n")
      }
    }
  }
}
