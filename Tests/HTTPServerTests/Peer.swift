@testable import Posix

/// A client, byte by byte. Its waits are on a thread of its own and have deadlines.
final class Peer: Sendable {
  enum Fault: Error {
    case closed(after: String)
  }

  let socket: StreamSocket
  private let worker: BlockingWorker
  private let unread = Lock<[UInt8]>([])
  private static let patience: Int32 = 20_000

  init(_ socket: StreamSocket) throws {
    self.socket = socket
    worker = try BlockingWorker(name: "peer")
  }

  convenience init(port: UInt16) throws {
    try self.init(StreamSocket.connect(port: port))
  }

  func send(_ text: String) async throws {
    let socket = socket
    try await worker.run { try socket.write(Array(text.utf8), milliseconds: Self.patience) }
  }

  /// Status line, fields and body of the next answer. A body in chunks is given as it came.
  func answer(isHead: Bool = false) async throws -> String {
    let head = try await read { bytes in bytes.firstEnd(of: "\r\n\r\n") }
    if isHead || head.contains(" 304 ") || head.contains(" 100 ") { return head }
    if head.contains("Transfer-Encoding: chunked") {
      return head + (try await read { $0.firstEnd(of: "0\r\n\r\n") })
    }
    let length = head.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
    guard let length = length.flatMap({ Int($0.dropFirst(16)) }) else { return head + (try await rest()) }
    return head + (try await read { $0.count >= length ? length : nil })
  }

  /// Sends a request and waits for its answer.
  func ask(_ request: String) async throws -> String {
    try await send(request)
    return try await answer()
  }

  /// All that comes until the server closes.
  func rest() async throws -> String {
    while try await readMore() {}
    return unread.withLock { bytes in
      defer { bytes = [] }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Reads until a given number of bytes is enough.
  func read(_ enough: @Sendable ([UInt8]) -> Int?) async throws -> String {
    while true {
      let found: String? = unread.withLock { bytes in
        guard let count = enough(bytes) else { return nil }
        defer { bytes.removeFirst(count) }
        return String(decoding: bytes[..<count], as: UTF8.self)
      }
      if let found { return found }
      guard try await readMore() else {
        throw Fault.closed(after: unread.withLock { String(decoding: $0, as: UTF8.self) })
      }
    }
  }

  private func readMore() async throws -> Bool {
    let socket = socket
    let bytes = try await worker.run { try socket.read(milliseconds: Self.patience) }
    unread.withLock { $0 += bytes }
    return !bytes.isEmpty
  }
}

extension [UInt8] {
  func firstEnd(of text: String) -> Int? {
    let wanted = Array(text.utf8)
    guard count >= wanted.count else { return nil }
    return (0...count - wanted.count).first { self[$0...].starts(with: wanted) }.map { $0 + wanted.count }
  }
}
