import Posix

/// Bytes that wait for a client.
struct OutputBuffer {
  var bytes: [UInt8] = []
  private var sent = 0

  var count: Int { bytes.count - sent }
  var isEmpty: Bool { count == 0 }

  /// Kept by a connection, so that the next answer needs no new memory.
  private static let mostKept = 8 << 10

  /// Sends as much as the client takes.
  ///
  /// - Returns: How much that is; nil when the client is gone.
  mutating func send(to socket: StreamSocket) -> Int? {
    guard !isEmpty else { return 0 }
    guard let count = socket.sendNow(bytes, from: sent) else { return nil }
    sent += count
    if isEmpty {
      bytes.removeAll(keepingCapacity: bytes.capacity <= Self.mostKept)
      sent = 0
    } else if sent > bytes.count / 2 {
      bytes.removeFirst(sent)
      sent = 0
    }
    return count
  }
}
