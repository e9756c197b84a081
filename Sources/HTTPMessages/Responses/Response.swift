/// A response whose bytes are all there.
public struct Response: Hashable, Sendable {
  public var head: ResponseHead
  public var body: [UInt8]

  public init(_ head: ResponseHead, body: [UInt8] = []) {
    (self.head, self.body) = (head, body)
  }

  /// One line for people.
  public init(_ status: Int, text: String) {
    self.init(
      ResponseHead(status, contentType: "text/plain; charset=utf-8"), body: Array("\(text)\n".utf8))
  }

  /// Appends all of it, and for a HEAD request only what describes the body.
  public func write(
    to output: inout [UInt8], date: [UInt8], keepsAlive: Bool, isHead: Bool, isVersion11: Bool
  ) {
    head.write(to: &output, length: body.count, date: date, keepsAlive: keepsAlive, isVersion11: isVersion11)
    if !isHead, head.canHaveContent { output += body }
  }
}

/// The parts of a chunked body.
public enum Chunk {
  /// Bytes as a chunk; none for no bytes, because an empty chunk is the end.
  public static func framed(_ bytes: [UInt8]) -> [UInt8] {
    guard !bytes.isEmpty else { return [] }
    return Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [.carriageReturn, .lineFeed]
  }

  public static let end = Array("0\r\n\r\n".utf8)
}
