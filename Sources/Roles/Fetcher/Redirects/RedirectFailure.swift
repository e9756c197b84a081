import Links
import Pipeline

extension Failure {
  /// What a redirect that leads nowhere means for the job.
  init(_ fault: RedirectFault, at url: String) {
    let kind: FailureKind =
      switch fault {
      case .missingTarget: .missingRedirectURL
      case .conflictingTargets, .invalidTarget: .protocolError
      case .loop: .redirectLoop
      case .tooMany: .tooManyRedirects
      case .unsupportedScheme: .unsupportedScheme
      }
    self.init(kind, at: .redirect, "follow \(url): \(fault.message)")
  }

  /// What is to be remembered of the way to a page that may lead on is more than is passed on.
  static func tooLong(_ continuation: Continuation) -> Failure {
    Failure(
      .tooManyRedirects, at: .redirect,
      "follow \(printableLink(continuation.url)): its \(continuation.visits.count) hops and \(continuation.cookies.count) cookies take \(continuation.bytes) bytes, and at most \(Continuation.mostBytes) are kept"
    )
  }
}
