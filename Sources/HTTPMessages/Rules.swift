/// Milliseconds of a clock that never jumps.
public typealias Milliseconds = Int64

/// How long a client may take. All are absolute: a byte now and then extends none of them.
public struct ConnectionLimits: Hashable, Sendable {
  /// For a head, from its first byte.
  public var head: Milliseconds = 10_000
  /// For a body, and a second more for each `bodyBytesPerSecond` of it that have come.
  public var body: Milliseconds = 10_000
  public var bodyBytesPerSecond = 16 << 10
  /// In each such time the client takes `answerBytesPerSecond`, or all that there is.
  public var answer: Milliseconds = 30_000
  public var answerBytesPerSecond = 1 << 10
  /// Between two requests, and before the first.
  public var idle: Milliseconds = 20_000
  /// After the last answer, for what was still on its way here.
  public var lingering: Milliseconds = 1_000
  public var lingeringBytes = 64 << 10
  /// A connection that has had so many requests, or is so old, ends with its next answer.
  public var requests = 1_000
  public var age: Milliseconds = 3_600_000

  public init() {}
}

/// What a connection waits for, and until when.
public struct ConnectionRule: Sendable {
  public enum Phase: Hashable, Sendable {
    /// No byte of a request has come.
    case idle
    case head
    case body
    /// The request is being answered, and no byte waits for the client.
    case working
    /// Bytes wait for the client.
    case answering
    /// The last answer is sent. What still comes is dropped, so that the answer is not lost by a reset.
    case lingering
  }

  private let limits: ConnectionLimits
  private let opened: Milliseconds
  private var requests = 0
  /// Bytes that count in this phase.
  private var bytes = 0
  /// What comes when the client has taken all bytes.
  private var afterAnswer = Phase.idle
  public private(set) var phase = Phase.idle
  /// When this phase began.
  public private(set) var since: Milliseconds

  public init(_ limits: ConnectionLimits, at now: Milliseconds) {
    self.limits = limits
    (opened, since) = (now, now)
  }

  /// When something must have happened; nil while the server itself is at work.
  public var deadline: Milliseconds? {
    time.map { since + $0 + (phase == .answering ? 0 : earned) }
  }

  /// How long the client may take in this phase, apart from what it earns; nil while the server itself is at work.
  private var time: Milliseconds? {
    switch phase {
    case .idle: limits.idle
    case .head: limits.head
    case .body: limits.body
    case .working: nil
    case .answering: limits.answer
    case .lingering: limits.lingering
    }
  }

  /// What the bytes of a body are worth, or those of an answer.
  private var earned: Milliseconds {
    guard phase == .body || phase == .answering else { return 0 }
    let perSecond = phase == .body ? limits.bodyBytesPerSecond : limits.answerBytesPerSecond
    return Milliseconds(bytes) * 1_000 / Milliseconds(perSecond)
  }

  /// When there is no room for a new connection, the slowest one gives way. Above 1 it is slower than an honest client.
  /// One that waits for its next request stands at 1, because closing it costs the least.
  ///
  /// - Returns: nil for one that keeps its place: its answer is being made, or it reads what it gets.
  public func slowness(at now: Milliseconds) -> Double? {
    guard let time else { return nil }
    let spent = now - since
    switch phase {
    case .idle where requests > 0: return 1
    case .answering where spent <= earned: return nil
    case .idle, .head, .body, .working, .answering, .lingering:
      // A deadline leaves room for the worst network. Honest clients need a tenth of it.
      return Double(spent) / Double(time / 10 + earned + 1)
    }
  }

  /// Whether another request may follow the present one.
  public func mayGoOn(at now: Milliseconds) -> Bool {
    requests < limits.requests && now - opened < limits.age
  }

  /// The first byte of a request came.
  public mutating func requestBegan(at now: Milliseconds) {
    guard phase == .idle else { return }
    enter(.head, at: now)
  }

  public mutating func headCame(at now: Milliseconds) {
    requests += 1
    enter(.body, at: now)
  }

  /// The request is whole, and its answer is being made.
  public mutating func workBegan(at now: Milliseconds) {
    enter(.working, at: now)
  }

  /// All of the answer has been written, if not sent.
  public mutating func answerEnded(at now: Milliseconds) {
    if phase == .answering { afterAnswer = .idle } else { enter(.idle, at: now) }
  }

  /// The client does not take all bytes at once.
  public mutating func clientIsSlow(at now: Milliseconds) {
    guard phase != .answering else { return }
    afterAnswer = phase
    enter(.answering, at: now)
  }

  /// Bytes of a body came, or the client took some of an answer.
  public mutating func moved(_ count: Int) {
    bytes += count
  }

  public mutating func clientTookAll(at now: Milliseconds) {
    if phase == .answering { enter(afterAnswer, at: now) }
  }

  public mutating func lingeringBegan(at now: Milliseconds) {
    enter(.lingering, at: now)
  }

  /// Counts what came after the last answer.
  ///
  /// - Returns: Whether that was too much.
  public mutating func dropped(_ count: Int) -> Bool {
    bytes += count
    return bytes > limits.lingeringBytes
  }

  /// The deadline is over.
  ///
  /// - Returns: Whether the connection is to be closed. A client that took enough of its answer has another while.
  public mutating func isLate(at now: Milliseconds) -> Bool {
    guard let deadline, now >= deadline else { return false }
    let enough = limits.answerBytesPerSecond * Int(limits.answer) / 1_000
    guard phase == .answering, bytes >= enough else { return true }
    enter(.answering, at: now)
    return false
  }

  private mutating func enter(_ next: Phase, at now: Milliseconds) {
    (phase, since, bytes) = (next, now, 0)
  }
}

/// Keeps pages of other sites from changing anything through a user's browser, by the rule of Go's
/// `CrossOriginProtection`.
public enum CrossSiteRule {
  public static func allows(_ head: RequestHead) -> Bool {
    switch head.method {
    case .get, .head, .options: return true
    case .post, .put, .patch, .delete, .other: break
    }
    if let site = head["sec-fetch-site"] { return site == "same-origin" || site == "none" }
    // Browsers always send one of the two. Over plain HTTP they send `Sec-Fetch-Site` to loopback only.
    guard let parts = head["origin"]?.split(separator: "://", maxSplits: 1) else { return true }
    return parts.count == 2 && parts[1].lowercased() == head["host"]?.lowercased()
  }
}

/// The names that a server answers to. In DNS rebinding, another site's name is made to resolve to this server, and its
/// pages send that name as `Host`: requests with unknown names are refused.
public struct HostRule: Sendable {
  private let names: Set<String>

  /// - Parameters:
  ///   - address: Where the server listens. `0.0.0.0` and `::` are not names.
  ///   - names: Others it is known by, without a port.
  public init(listeningAt address: String? = nil, names: [String] = []) {
    let own = address.map { $0.contains(":") && !$0.hasPrefix("[") ? "[\($0)]" : $0 }
    let all = ["localhost", "127.0.0.1", "[::1]"] + [own].compactMap(\.self) + names
    self.names = Set(all.map { $0.lowercased() }).subtracting(["0.0.0.0", "[::]"])
  }

  /// - Parameter host: The field's value, with a port or without; nil in HTTP/1.0.
  public func allows(_ host: String?) -> Bool {
    guard let text = host?.lowercased() else { return false }
    guard let colon = text.lastIndex(of: ":"), !text[colon...].contains("]") else {
      return names.contains(text)
    }
    return names.contains(String(text[..<colon]))
  }
}

/// How often something may happen: a burst at once, then so many a second. It starts full.
public struct TokenBucket: Hashable, Sendable {
  /// Milliseconds in which a token comes, and in which all of them do.
  private let pause: Double
  private let whole: Double
  private var fullAt: Double

  /// - Parameters:
  ///   - burst: At least 1.
  ///   - perSecond: More than 0.
  public init(burst: Int, perSecond: Double, at now: Milliseconds) {
    pause = 1_000 / max(perSecond, 0.001)
    whole = pause * Double(max(1, burst))
    fullAt = Double(now)
  }

  /// Takes a token. If there is none, returns in how many seconds there will be one, for `Retry-After`.
  public mutating func take(at now: Milliseconds) -> Int? {
    let next = max(fullAt, Double(now)) + pause
    let wait = next - whole - Double(now)
    guard wait <= 0 else { return Int((wait / 1_000).rounded(.up)) }
    fullAt = next
    return nil
  }

  /// Whether it equals a new bucket, and need not be kept.
  public func isFull(at now: Milliseconds) -> Bool { fullAt <= Double(now) }
}
