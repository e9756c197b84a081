internal import Assembly
public import FoundationEssentials
public import HalyardConcurrency
internal import Pipeline
internal import Posix
internal import Roles

/// Why a call has no value: what the row of a job says that failed, or what befell the call itself.
public struct HalyardError: Error, Hashable, Sendable {
  /// Everything that can go wrong: a closed list, the same as in the rows of `halyard`.
  public enum Kind: String, CaseIterable, Sendable {
    case invalidInput = "invalid_input"
    case missingInput = "missing_input"
    case unsupportedScheme = "unsupported_scheme"
    case blockedAddress = "blocked_address"
    case dns
    case connect
    case tls
    case timeout
    case httpStatus = "http_status"
    case tooManyRedirects = "too_many_redirects"
    case redirectLoop = "redirect_loop"
    case missingRedirectURL = "missing_redirect_url"
    case headerTooLarge = "header_too_large"
    case bodyTooLarge = "body_too_large"
    case protocolError = "protocol"
    case blocked
    case robots
    case notHTML = "not_html"
    case missingPageTitle = "missing_page_title"
    case noData = "no_data"
    case dataParsingFailed = "data_parsing_failed"
    case decodeMismatch = "decode_mismatch"
    case cancelled
    case deadline
    case poisoned
    case underlying
  }

  /// Where on the way something went wrong. A newer fleet may know more than these.
  public struct Stage: RawRepresentable, Hashable, Sendable {
    /// As rows have it.
    public var rawValue: String

    /// What was asked, or how.
    public static let input = Stage(rawValue: "input")
    /// Before anything was fetched, or after.
    public static let queue = Stage(rawValue: "queue")
    /// The address is not allowed.
    public static let address = Stage(rawValue: "address")
    /// The host's name.
    public static let dns = Stage(rawValue: "dns")
    /// The connection.
    public static let connect = Stage(rawValue: "connect")
    /// The encryption of the connection.
    public static let tls = Stage(rawValue: "tls")
    /// The wait for the response.
    public static let firstByte = Stage(rawValue: "first_byte")
    /// The headers of the response.
    public static let headers = Stage(rawValue: "headers")
    /// The body of the response.
    public static let body = Stage(rawValue: "body")
    /// What a redirect says.
    public static let redirect = Stage(rawValue: "redirect")
    /// What the page says.
    public static let page = Stage(rawValue: "page")
    /// The reading of JSON.
    public static let json = Stage(rawValue: "json")
    /// What was to be selected.
    public static let select = Stage(rawValue: "select")

    /// What rows have as `stage`.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// What went wrong, from a closed list.
  public var kind: Kind
  /// Where on the way it happened.
  public var stage: Stage
  /// One line: what, where, cause.
  public var message: String
  /// Whether asking again can help.
  public var retryable: Bool
  /// Where the link led until then; nil when nothing answered.
  public var url: String?
  /// The HTTP status there.
  public var status: Int?
  /// The redirects on the way, in their order.
  public var hops: [ResolvedLink.Hop] = []

  /// An error of your own, such as for a stub.
  public init(_ kind: Kind, at stage: Stage, _ message: String, retryable: Bool = false) {
    self.kind = kind
    self.stage = stage
    self.message = message
    self.retryable = retryable
  }
}

extension HalyardError: CancellationReporting {
  /// True for ``Kind/cancelled``.
  public var reportsCancellation: Bool { kind == .cancelled }
}

extension HalyardError: LocalizedError {
  /// The message, which `localizedDescription` is too.
  public var errorDescription: String? { message }
}

extension HalyardError: CustomStringConvertible {
  /// What went wrong, where and why, in one line.
  public var description: String { "\(kind.rawValue) at \(stage.rawValue): \(message)" }
}

extension HalyardError {
  static func cancelled(_ cause: String) -> HalyardError {
    HalyardError(.cancelled, at: .queue, "cancelled: \(cause)")
  }

  static let cancelledByCaller = cancelled("by the caller")

  static let shutDown = cancelled("the client is shut down")

  init(_ error: ServiceError<HalyardError>) {
    switch error {
    case .failed(let error): self = error
    case .cancelled: self = .cancelledByCaller
    case .unanswered: self.init(.underlying, at: .queue, "the call was dropped unanswered")
    }
  }

  /// What work throws that may throw anything.
  init(thrown error: any Error) {
    switch error {
    case let error as HalyardError: self = error
    case let error as ServiceError<HalyardError>: self.init(error)
    case _ where error.isCancellation: self = .cancelled("by the work of the call")
    default: self.init(.underlying, at: .queue, "\(error)")
    }
  }

  init(_ failure: Failure) {
    self.init(
      Kind(rawValue: failure.kind.rawValue) ?? .underlying, at: Stage(rawValue: failure.stage.rawValue),
      failure.message,
      retryable: failure.retryable)
  }

  init(call failure: CallFailure) {
    switch failure {
    case .tooMany(let calls):
      self.init(
        .underlying, at: .queue,
        "the client has \(calls) unanswered calls; ask for fewer at a time, as results(of:) does, or raise maxCalls",
        retryable: true)
    case .cancelledByCaller: self = .cancelledByCaller
    case .shutDown: self = .shutDown
    case .ended(let error): self.init(ending: error)
    }
  }

  /// What ended the work for all calls.
  init(ending error: any Error) {
    switch error {
    case let error as HalyardError: self = error
    case let error as FleetSilent:
      self.init(
        .underlying, at: .queue,
        "fleet \(error.address): no answer for \(error.milliseconds) ms", retryable: true)
    case let error as DistrustedPath:
      self.init(.underlying, at: .queue, error.message, retryable: error.reason == .missing)
    case let error as SubmissionRefused: self.init(error.failure)
    case is CancellationError, is TaskChannelError, is TaskScopeError: self = .shutDown
    default: self.init(.underlying, at: .queue, "\(error)", retryable: true)
    }
  }
}
