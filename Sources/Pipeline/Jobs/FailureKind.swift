/// Everything that can go wrong with a job: a closed list, so that users can count and route by it.
public enum FailureKind: String, CaseIterable, Codable, Sendable {
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

/// Whether trying the same job again can help.
public enum RetryClass: Sendable {
  /// The answer will be the same.
  case never
  /// A passing fault of the network or the peer.
  case transient
  /// The kind alone does not tell; the one who saw it says so in `Failure.retryable`.
  case dependsOnCause
}

extension FailureKind {
  /// The fixed retry class of this kind.
  public var retryClass: RetryClass {
    switch self {
    case .connect, .timeout, .underlying:
      .transient
    case .dns, .httpStatus, .protocolError, .robots, .tls:
      .dependsOnCause
    case .invalidInput, .missingInput, .unsupportedScheme, .blockedAddress, .tooManyRedirects,
      .redirectLoop, .missingRedirectURL, .headerTooLarge, .bodyTooLarge, .blocked, .notHTML,
      .missingPageTitle, .noData, .dataParsingFailed, .decodeMismatch, .cancelled, .deadline, .poisoned:
      .never
    }
  }
}
