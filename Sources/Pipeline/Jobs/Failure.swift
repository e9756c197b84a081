/// Where on a job's way something failed.
public enum Stage: String, CaseIterable, Sendable {
  case input
  case queue
  case address
  case dns
  case connect
  case tls
  case firstByte = "first_byte"
  case headers
  case body
  case redirect
  case page
  case json
  case select
}

/// The job whose end ended another one.
public struct FailureCause: Hashable, Sendable {
  public var job: JobID
  public var kind: FailureKind

  public init(job: JobID, kind: FailureKind) {
    self.job = job
    self.kind = kind
  }
}

/// A typed failure that can be stored, sent and shown.
public struct Failure: Error, Hashable, Sendable {
  public var kind: FailureKind
  public var stage: Stage
  /// One line: what, where, cause, and what to do next where there is something to do. What is longer than
  /// `longestMessage` loses its middle: sites decide how long the links are that it names.
  public var message: String {
    didSet { message = message.shortened(toBytes: Self.longestMessage) }
  }
  /// Whether another attempt can help.
  public var retryable: Bool
  /// How long the peer asked us to wait before another attempt, in milliseconds.
  public var retryAfterMilliseconds: Int64?
  /// What another job's end has to do with it. It stands in the row, and does not travel.
  public var because: FailureCause?
  /// The host that was given up, where the job ended for that. It stands in the row, and does not travel.
  public var givenUpHost: String?
  /// The address that was refused, with its port. It stands in the row of a run without a fleet, and does not travel: a
  /// user of a fleet cannot allow it.
  public var refusedAddress: String?

  /// Bytes of a message.
  public static let longestMessage = 2 << 10

  /// `retryable` counts only for kinds whose retry class depends on the cause.
  public init(
    _ kind: FailureKind, at stage: Stage, _ message: String, retryable: Bool = false,
    retryAfterMilliseconds: Int64? = nil, because: FailureCause? = nil
  ) {
    self.kind = kind
    self.stage = stage
    self.message = message.shortened(toBytes: Self.longestMessage)
    self.retryAfterMilliseconds = retryAfterMilliseconds
    self.because = because
    switch kind.traits.retryClass {
    case .never: self.retryable = false
    case .transient: self.retryable = true
    case .dependsOnCause: self.retryable = retryable
    }
  }
}
