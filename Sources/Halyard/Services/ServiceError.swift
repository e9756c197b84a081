@_exported public import protocol HalyardConcurrency.CancellationReporting

/// Why a service has no answer. The service's own error keeps its type in every style of calling it.
public enum ServiceError<Failure: Error>: Error {
  /// The service says so.
  case failed(Failure)
  /// The call was cancelled, by its caller or by the work.
  case cancelled
  /// The work ended without an answer: a callback that was dropped, or a stream without a value.
  case unanswered
}

extension ServiceError: Equatable where Failure: Equatable {}
extension ServiceError: Hashable where Failure: Hashable {}

/// What a call ends with, exactly once.
public typealias ServiceAnswer<Output, Failure: Error> = Result<Output, ServiceError<Failure>>

extension ServiceError: CancellationReporting {
  /// True for ``cancelled``, and for a failure that says so itself.
  public var reportsCancellation: Bool {
    switch self {
    case .cancelled: true
    case .failed(let error): error.isCancellation
    case .unanswered: false
    }
  }
}

extension ServiceError {
  /// What an error means that work threw: its own cancellation, or a failure.
  init(thrown error: Failure) {
    if let known = error as? ServiceError<Failure> {
      // Work that may throw anything has called another service.
      self = known
    } else {
      self = error.isCancellation ? .cancelled : .failed(error)
    }
  }
}
