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
