public import Pipeline

/// The aggregator will not take what was submitted, however often it is sent.
public struct SubmissionRefused: Error, Hashable, Sendable {
  public var failure: Failure
}
