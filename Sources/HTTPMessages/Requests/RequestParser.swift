/// What comes next in the bytes of a connection.
public enum RequestEvent: Sendable {
  /// All bytes have been read.
  case needMore
  case head(RequestHead)
  case body([UInt8])
  /// The request is whole. The next one may follow.
  case end
  /// Nothing more is read.
  case refuse(Refusal)
}

/// Divides the bytes of one connection into requests. How the bytes were split on their way changes nothing but where
/// bodies are split.
public struct RequestParser: Sendable {
  private enum Phase {
    case head
    /// The next event begins the body, within `bodyLimit`.
    case beforeBody(RequestHead.BodyLength)
    case body
    case refused(Refusal)
  }

  private var phase = Phase.head
  private var head = HeadReader()
  private var body: BodyReader?
  private var input: [UInt8] = []
  private var position = 0
  /// The longest body of the present request, in bytes. Each head sets it to 0; set it before the next event.
  public var bodyLimit = 0

  public init() {}

  /// Whether bytes wait to be read.
  public var hasInput: Bool { position < input.count }

  /// Adds what came.
  public mutating func receive(_ bytes: [UInt8]) {
    if hasInput {
      input.removeFirst(position)
      input += bytes
    } else {
      input = bytes
    }
    position = 0
  }

  public mutating func next() -> RequestEvent {
    do throws(Refusal) {
      let event = try advance()
      // An idle connection keeps nothing.
      if !hasInput { (input, position) = ([], 0) }
      return event
    } catch {
      phase = .refused(error)
      (input, position) = ([], 0)
      return .refuse(error)
    }
  }

  private mutating func advance() throws(Refusal) -> RequestEvent {
    // Only read here, so it is not copied.
    let bytes = input
    var place = position
    defer { position = place }
    while true {
      switch phase {
      case .head:
        guard try head.read(bytes.span, from: &place) else { return .needMore }
        let whole = try RequestHead(head)
        head = HeadReader()
        bodyLimit = 0
        phase = .beforeBody(whole.bodyLength)
        return .head(whole)
      case .beforeBody(let length):
        body = try BodyReader(length, limit: bodyLimit)
        phase = .body
      case .body:
        let step = try body?.read(bytes.span, from: &place)
        switch step {
        case .needMore: return .needMore
        case .content(let range): return .body(Array(bytes[range]))
        case .end, nil:
          body = nil
          phase = .head
          return .end
        }
      case .refused(let refusal): return .refuse(refusal)
      }
    }
  }
}
