/// Where on a job's way something failed.
public enum Stage: String, FieldValue, CaseIterable, Sendable {
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
public struct Failure: Archived, Error, Hashable, Sendable {
  public var kind = FailureKind.underlying
  public var stage = Stage.input
  /// One line: what, where, cause, and what to do next where there is something to do. What is longer than
  /// `longestMessage` loses its middle: sites decide how long the links are that it names.
  public var message = "" {
    didSet { message = message.shortened(toBytes: Self.longestMessage) }
  }
  /// Whether another attempt can help.
  public var retryable = false
  /// How long the peer asked us to wait before another attempt, in milliseconds.
  public var retryAfterMilliseconds: Int64?
  /// What another job's end has to do with it. It stands in the row, and does not travel.
  @Boxed public var because: FailureCause?
  /// The host that was given up, where the job ended for that. It stands in the row, and does not travel.
  @Boxed public var givenUpHost: String?
  /// The address that was refused, with its port. It stands in the row of a run without a fleet, and does not travel: a
  /// user of a fleet cannot allow it.
  @Boxed public var refusedAddress: String?

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

  init() {}

  mutating func code(_ coder: inout some Coder) {
    var (message, wait) = (message, retryAfterMilliseconds)
    coder.need(1, &kind)
    coder.need(2, &stage)
    coder.field(3, &message)
    coder.field(4, &retryable)
    coder.field(5, &wait)
    guard coder.isReading else { return }
    if let asked = wait, asked < 0 { wait = nil }
    self = Failure(kind, at: stage, message, retryable: retryable, retryAfterMilliseconds: wait)
  }
}

/// Everything that can go wrong with a job: a closed list, so that users can count and route by it.
public enum FailureKind: FieldValue, CaseIterable, Codable, Sendable {
  case invalidInput, missingInput, unsupportedScheme, blockedAddress
  case dns, connect, tls, timeout
  case httpStatus, tooManyRedirects, redirectLoop, missingRedirectURL
  case headerTooLarge, bodyTooLarge, protocolError
  case blocked, robots
  case notHTML, missingPageTitle, noData, dataParsingFailed, decodeMismatch
  case cancelled, deadline, poisoned, underlying

  /// What follows from the kind of a failure. `FailureKinds.md` says the same to users, and a test compares them.
  package var traits: FailureTraits {
    switch self {
    case .invalidInput: FailureTraits("invalid_input", .never, .kept, .none, 400)
    case .missingInput: FailureTraits("missing_input", .never, .kept, .none, 400)
    case .unsupportedScheme: FailureTraits("unsupported_scheme", .never, .kept, .none, 400)
    case .blockedAddress: FailureTraits("blocked_address", .never, .notKept, .none, 403)
    case .dns: FailureTraits("dns", .dependsOnCause, .kept, .noWay, 502)
    case .connect: FailureTraits("connect", .transient, .notKept, .noWay, 502)
    case .tls: FailureTraits("tls", .dependsOnCause, .kept, .noWay, 502)
    case .timeout: FailureTraits("timeout", .transient, .notKept, .byStage, 504)
    case .httpStatus: FailureTraits("http_status", .dependsOnCause, .kept, .answer, 502)
    case .tooManyRedirects: FailureTraits("too_many_redirects", .never, .kept, .answer, 502)
    case .redirectLoop: FailureTraits("redirect_loop", .never, .kept, .answer, 502)
    case .missingRedirectURL: FailureTraits("missing_redirect_url", .never, .kept, .answer, 502)
    case .headerTooLarge: FailureTraits("header_too_large", .never, .kept, .answer, 502)
    case .bodyTooLarge: FailureTraits("body_too_large", .never, .kept, .answer, 502)
    case .protocolError: FailureTraits("protocol", .dependsOnCause, .kept, .answer, 502)
    case .blocked: FailureTraits("blocked", .never, .kept, .answer, 502)
    // A remembered robots.txt refuses without contact to the host.
    case .robots: FailureTraits("robots", .dependsOnCause, .notKept, .none, 403)
    case .notHTML: FailureTraits("not_html", .never, .kept, .answer, 422)
    case .missingPageTitle: FailureTraits("missing_page_title", .never, .kept, .answer, 422)
    case .noData: FailureTraits("no_data", .never, .kept, .answer, 422)
    case .dataParsingFailed: FailureTraits("data_parsing_failed", .never, .kept, .answer, 422)
    case .decodeMismatch: FailureTraits("decode_mismatch", .never, .kept, .answer, 422)
    case .cancelled: FailureTraits("cancelled", .never, .notKept, .none, 503)
    case .deadline: FailureTraits("deadline", .never, .notKept, .none, 504)
    case .poisoned: FailureTraits("poisoned", .never, .notKept, .none, 500)
    case .underlying: FailureTraits("underlying", .transient, .notKept, .none, 500)
    }
  }
}

/// One row of the table of failure kinds.
package struct FailureTraits: Sendable {
  /// Whether trying the same job again can help.
  package enum RetryClass: Sendable {
    /// The answer will be the same.
    case never
    /// A passing fault of the network or the peer.
    case transient
    /// The kind alone does not tell; the one who saw it says so in `Failure.retryable`.
    case dependsOnCause
  }

  /// What the result cache makes of it, unless the failure is retryable, which is never kept.
  package enum Caching: Sendable {
    /// The next one who asks would come to the same end.
    case kept
    /// It depends on the moment, on the workers, or on who may talk to whom.
    case notKept
  }

  /// What it tells about the health of the host.
  package enum HostEvidence: Sendable {
    /// The host answered, whatever it was.
    case answer
    /// No way leads to the host, if that may pass. What does not pass is not tried again anyway.
    case noWay
    /// `Failure.stage` tells whether there was no way or the page was slow.
    case byStage
    case none
  }

  /// In rows and on the wire.
  package let name: String
  package let retryClass: RetryClass
  package let caching: Caching
  package let hostEvidence: HostEvidence
  /// The status of `halyard serve` about a link that ended so: 4xx when another link must be asked for.
  package let httpStatus: Int

  fileprivate init(_ name: String, _ retry: RetryClass, _ cache: Caching, _ host: HostEvidence, _ status: Int)
  {
    (self.name, retryClass, caching, hostEvidence, httpStatus) = (name, retry, cache, host, status)
  }
}

extension FailureKind: RawRepresentable {
  private static let named = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

  /// Its name in rows and on the wire.
  public var rawValue: String { traits.name }

  /// The kind of this name.
  public init?(rawValue: String) {
    guard let kind = Self.named[rawValue] else { return nil }
    self = kind
  }
}
