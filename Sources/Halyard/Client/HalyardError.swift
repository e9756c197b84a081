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

  public var kind: Kind
  /// Where on the way it happened, such as `dns`, `first_byte` or `json`.
  public var stage: String
  /// One line: what, where, cause.
  public var message: String
  /// Whether asking again can help.
  public var retryable: Bool

  public init(_ kind: Kind, at stage: String, _ message: String, retryable: Bool = false) {
    self.kind = kind
    self.stage = stage
    self.message = message
    self.retryable = retryable
  }
}

extension HalyardError: CustomStringConvertible {
  /// What went wrong, where and why, in one line.
  public var description: String { "\(kind.rawValue) at \(stage): \(message)" }
}

extension HalyardError {
  static func cancelled(_ cause: String) -> HalyardError {
    HalyardError(.cancelled, at: Stage.queue.rawValue, "cancelled: \(cause)")
  }

  static let shutDown = cancelled("the client is shut down")

  init(_ error: ServiceError<HalyardError>) {
    switch error {
    case .failed(let error): self = error
    case .cancelled: self = .cancelled("by the caller")
    case .unanswered: self.init(.underlying, at: Stage.queue.rawValue, "the call was dropped unanswered")
    }
  }

  init(_ failure: Failure) {
    self.init(
      Kind(rawValue: failure.kind.rawValue) ?? .underlying, at: failure.stage.rawValue, failure.message,
      retryable: failure.retryable)
  }

  /// What ended the work for all calls.
  init(ending error: any Error) {
    switch error {
    case let error as HalyardError: self = error
    case let error as FleetSilent:
      self.init(
        .underlying, at: Stage.queue.rawValue,
        "fleet \(error.address): no answer for \(error.milliseconds) ms", retryable: true)
    case let error as DistrustedPath:
      self.init(.underlying, at: Stage.queue.rawValue, error.message, retryable: error.reason == .missing)
    case let error as SubmissionRefused: self.init(error.failure)
    case is CancellationError, is ChannelError, is TaskScopeError: self = .shutDown
    default: self.init(.underlying, at: Stage.queue.rawValue, "\(error)", retryable: true)
    }
  }
}
