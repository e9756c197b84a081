internal import Posix

/// Takes requests off a connection one after the other; a body is read and dropped.
struct RequestReader {
  private static let longestHead = 65_536

  let socket: StreamSocket
  let stop: StopSignal
  private var buffer: [UInt8] = []

  init(_ socket: StreamSocket, unless stop: StopSignal) {
    self.socket = socket
    self.stop = stop
  }

  /// The next request, or nil when there is none to come or what comes is none.
  mutating func next() throws(PosixError) -> RequestHead? {
    var searched = 0
    while true {
      if let end = endOfHead(from: searched) {
        guard let head = RequestHead(buffer[..<end]) else { return nil }
        buffer.removeSubrange(..<(end + 4))
        return try skipBody(of: head) ? head : nil
      }
      searched = max(0, buffer.count - 3)
      guard buffer.count < Self.longestHead, try readMore() else { return nil }
    }
  }

  /// Where the empty line that ends the head begins.
  private func endOfHead(from start: Int) -> Int? {
    let mark: [UInt8] = [13, 10, 13, 10]
    guard buffer.count >= start + mark.count else { return nil }
    return (start...(buffer.count - mark.count)).first { buffer[$0...].starts(with: mark) }
  }

  private mutating func skipBody(of head: RequestHead) throws(PosixError) -> Bool {
    guard let text = head.header("content-length") else { return true }
    guard var left = Int(text), left >= 0 else { return false }
    while left > 0 {
      if buffer.isEmpty, try !readMore() { return false }
      let taken = min(left, buffer.count)
      buffer.removeFirst(taken)
      left -= taken
    }
    return true
  }

  private mutating func readMore() throws(PosixError) -> Bool {
    let chunk = try socket.read(unless: stop)
    buffer += chunk
    return !chunk.isEmpty
  }
}
