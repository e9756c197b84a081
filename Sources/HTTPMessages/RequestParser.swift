/// What comes next in the bytes of a connection.
public enum RequestEvent: Sendable {
  /// All bytes have been read.
  case needMore
  /// Without a body the request is whole, and the next one may follow.
  case head(RequestHead)
  /// The client waits to be told that its body is wanted.
  case expectation
  /// All of the body. The next request may follow.
  case body([UInt8])
  /// Nothing more is read.
  case refuse(Refusal)
}

/// Divides the bytes of one connection into requests. How the bytes were split on their way changes nothing.
public struct RequestParser: Sendable {
  private enum Phase {
    case head
    /// The next event begins the body, within `bodyLimit`.
    case beforeBody(RequestHead)
    /// So many bytes have to come.
    case content(Int, isChunk: Bool)
    case chunkSize
    case trailer
    case refused(Refusal)
  }

  private var phase = Phase.head
  private var lines = HeadLines()
  private var body: [UInt8] = []
  private var extensionBytes = 0
  private var input: [UInt8] = []
  private var position = 0
  /// Whether bytes wait to be read that may make an event.
  public private(set) var hasInput = false
  /// The longest body of the present request, in bytes. Each head sets it to 0; set it before the next event.
  public var bodyLimit = 0

  private static let mostSizeDigits = 16
  /// Of all chunks of a body together.
  private static let mostExtensionBytes = 256

  public init() {}

  /// Adds what came.
  public mutating func receive(_ bytes: [UInt8]) {
    input.removeFirst(position)
    if input.isEmpty { input = bytes } else { input += bytes }
    (position, hasInput) = (0, true)
  }

  public mutating func next() -> RequestEvent {
    do throws(Refusal) {
      while true {
        guard let event = try step() else { continue }
        hasInput = position < input.count
        if case .needMore = event { hasInput = false }
        // An idle connection keeps nothing.
        if position == input.count { forgetInput() }
        return event
      }
    } catch {
      phase = .refused(error)
      forgetInput()
      return .refuse(error)
    }
  }

  private mutating func forgetInput() {
    (input, position, hasInput) = ([], 0, false)
  }

  /// nil when there may be more without further bytes.
  private mutating func step() throws(Refusal) -> RequestEvent? {
    switch phase {
    case .refused(let refusal): return .refuse(refusal)
    case .head: return try readHead()
    case .beforeBody(let head): return try beginBody(of: head)
    case .content(let missing, let isChunk):
      let count = min(missing, input.count - position)
      body += input[position..<position + count]
      position += count
      guard count == missing else {
        phase = .content(missing - count, isChunk: isChunk)
        return .needMore
      }
      guard isChunk else { return endBody() }
      // A chunk is read with the line end behind it.
      guard body.suffix(2).elementsEqual([.carriageReturn, .lineFeed]) else { throw .malformedChunk }
      body.removeLast(2)
      phase = .chunkSize
    case .chunkSize:
      let room = Self.mostSizeDigits + Self.mostExtensionBytes - extensionBytes + 1
      guard let line = try line(within: room, .extensionTooLong, else: .malformedChunk) else {
        return .needMore
      }
      let size = try chunkSize(line)
      phase = size == 0 ? .trailer : .content(size + 2, isChunk: true)
    case .trailer:
      guard let line = try headLine() else { return .needMore }
      if try lines.take(line) { return endBody() }
    }
    return nil
  }

  private mutating func readHead() throws(Refusal) -> RequestEvent? {
    // Another protocol, such as TLS, may never end a line.
    if lines.awaitsRequestLine, position < input.count, !input[position].mayBeginRequest {
      throw .malformedRequestLine
    }
    guard let line = try headLine() else { return .needMore }
    guard try lines.take(line) else { return nil }
    let head = try RequestHead(lines)
    lines = HeadLines()
    bodyLimit = 0
    if head.hasBody { phase = .beforeBody(head) }
    return .head(head)
  }

  private mutating func beginBody(of head: RequestHead) throws(Refusal) -> RequestEvent? {
    if let length = head.bodyLength {
      guard length <= bodyLimit else { throw .bodyTooLarge }
      phase = .content(length, isChunk: false)
    } else {
      (phase, extensionBytes, lines) = (.chunkSize, 0, HeadLines(isTrailer: true))
    }
    return head.expectsContinue && position == input.count ? .expectation : nil
  }

  private mutating func endBody() -> RequestEvent {
    defer { (phase, lines, body) = (.head, HeadLines(), []) }
    return .body(body)
  }

  /// What a line in front of a chunk says.
  private mutating func chunkSize(_ line: ArraySlice<UInt8>) throws(Refusal) -> Int {
    let digits = line.prefix { $0.hexDigit != nil }
    let rest = line[digits.endIndex...]
    let isExtension = rest.drop { $0.isBlank }.first == UInt8(ascii: ";")
    // Zeros may stand in front, so a chunk has at most 60 bits.
    guard 1...Self.mostSizeDigits ~= digits.count,
      digits.drop(while: { $0 == UInt8(ascii: "0") }).count < 16,
      rest.isEmpty || isExtension, rest.allSatisfy(\.isValueByte)
    else { throw .malformedChunk }
    extensionBytes += max(0, rest.count - 1)
    guard extensionBytes <= Self.mostExtensionBytes else { throw .extensionTooLong }
    let size = digits.reduce(0) { $0 << 4 | ($1.hexDigit ?? 0) }
    guard size <= bodyLimit - body.count else { throw .bodyTooLarge }
    return size
  }

  private mutating func headLine() throws(Refusal) -> ArraySlice<UInt8>? {
    let tooLong: Refusal = lines.awaitsRequestLine ? .targetTooLong : .headTooLarge
    return try line(within: max(0, lines.room), tooLong, else: .malformedLineEnd)
  }

  /// The next line without its end; nil until it is whole. One that comes in pieces is looked at again with each, which
  /// its room bounds.
  private mutating func line(
    within room: Int, _ tooLong: Refusal, else malformed: Refusal
  ) throws(Refusal) -> ArraySlice<UInt8>? {
    let line = input[position...].prefix { $0 != .carriageReturn && $0 != .lineFeed }
    guard line.count <= room else { throw tooLong }
    let end = input[line.endIndex...].prefix(2)
    guard end.elementsEqual([.carriageReturn, .lineFeed]) else {
      // Either of the two alone may be read as a line's end by another program.
      guard end.isEmpty || end.elementsEqual([.carriageReturn]) else { throw malformed }
      return nil
    }
    position = end.endIndex
    return line
  }
}
