import PipelineTesting
import Posix

/// A site with a robots.txt.
final class RobotsSite: Sendable {
  private let log: Lock<[String]>
  private let server: RawServer

  init(_ file: String) {
    let log = Lock<[String]>([])
    self.log = log
    server = RawServer { peer in
      while let request = peer.readRequest() {
        let path = request.split(separator: " ").dropFirst().first.map(String.init) ?? ""
        log.withLock { $0.append(path) }
        let body = path == "/robots.txt" ? file : "<title>\(path)</title>"
        let type = path == "/robots.txt" ? "text/plain" : "text/html"
        peer.send(
          "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
      }
    }
  }

  /// The paths that it was asked for so far.
  var asked: [String] { log.withLock { $0 } }

  func url(_ path: String) -> String { "\(server.url.dropLast())\(path)" }
}
