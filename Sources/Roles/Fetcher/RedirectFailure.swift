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
}
