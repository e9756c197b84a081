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

  /// The next request, or why it is refused; nil when there is none to come.
  mutating func next() throws(PosixError) -> Result<RequestHead, RequestHead.Refusal>? {
    var searched = 0
    while true {
      if let end = endOfHead(from: searched) {
        let head: RequestHead
        do throws(RequestHead.Refusal) { head = try RequestHead(buffer[..<end]) } catch {
          return .failure(error)
        }
        buffer.removeSubrange(..<(end + 4))
        return try skipBody(of: head) ? .success(head) : nil
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
    var left = head.bodyBytes
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
