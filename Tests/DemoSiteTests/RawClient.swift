import Posix

/// A client that sends what it is told and reads answers with a Content-Length. It waits on a thread of its own, because the
/// site needs those of the pool.
final class RawClient {
  struct Response {
    var statusLine: String
    var headers: [String: String]
    var body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
  }

  struct NoAnswer: Error {}

  private let socket: StreamSocket
  private let worker: BlockingWorker
  private var buffer: [UInt8] = []

  init(port: UInt16) throws {
    socket = try StreamSocket.connect(port: port)
    worker = try BlockingWorker(name: "client")
  }

  func send(_ text: String) throws {
    try socket.write(Array(text.utf8))
  }

  func get(_ target: String, headers: String = "") async throws -> Response {
    try send("GET \(target) HTTP/1.1\r\nHost: demo.test\r\n\(headers)\r\n")
    return try await read()
  }

  func read(hasBody: Bool = true) async throws -> Response {
    while true {
      if let end = buffer.indices.first(where: { buffer[$0...].starts(with: Array("\r\n\r\n".utf8)) }) {
        var lines = String(decoding: buffer[..<end], as: UTF8.self).split(separator: "\r\n")
        buffer.removeSubrange(..<(end + 4))
        let statusLine = String(lines.removeFirst())
        let headers = lines.reduce(into: [String: String]()) { headers, line in
          let parts = line.split(separator: ":", maxSplits: 1)
          headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
        }
        let length = hasBody ? headers["content-length"].flatMap { Int($0) } ?? 0 : 0
        while buffer.count < length { try await readMore() }
        defer { buffer.removeFirst(length) }
        return Response(statusLine: statusLine, headers: headers, body: Array(buffer.prefix(length)))
      }
      try await readMore()
    }
  }

  /// Whether the server has closed the connection without sending anything more.
  func isAtEnd() async throws -> Bool {
    guard buffer.isEmpty else { return false }
    return try await receive().isEmpty
  }

  private func readMore() async throws {
    let chunk = try await receive()
    if chunk.isEmpty { throw NoAnswer() }
    buffer += chunk
  }

  private func receive() async throws -> [UInt8] {
    let socket = socket
    return try await worker.run { try socket.read(milliseconds: 10_000) }
  }
}
