package import Pipeline

/// The aggregator will not take what was submitted, however often it is sent.
package struct SubmissionRefused: Error, Hashable, Sendable {
  package var failure: Failure
}
