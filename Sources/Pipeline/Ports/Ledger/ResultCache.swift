/// The port to answers that are kept for later jobs that ask the same. It may forget any of them at any time.
public protocol ResultCache: Sendable {
  /// The cached answer to each question, nil where there is none.
  ///
  /// - Parameter bytes: Answers of so many bytes are enough.
  /// - Returns: As many as there are questions, or fewer when the last one made them enough.
  func find(_ questions: [String], bytes: Int) async throws(LedgerError) -> [CachedAnswer?]

  /// Keeps answers, each in the place of an older one to the same question. The oldest go when there are too many, and
  /// those that are older than `CacheRule.longestMilliseconds` by the clock of the newest.
  ///
  /// May return before they are written; what went wrong then is thrown by a later call.
  func store(_ answers: [CachedAnswer]) async throws(LedgerError)
}

/// An answer, and what it answers.
public struct CachedAnswer: Hashable, Sendable {
  /// All that makes two jobs the same question.
  public var question: String
  public var storedAt: Moment
  /// nil when the job was done.
  public var failure: FailureKind?
  /// It is kept as long as a failure, although it may be none.
  public var isOfFailure: Bool
  public var validators: Validators?
  /// The part of a row that all jobs with the same question share: JSON members without braces.
  public var json: [UInt8]

  public init(
    question: String, storedAt: Moment, failure: FailureKind?, isOfFailure: Bool, validators: Validators?,
    json: [UInt8]
  ) {
    self.question = question
    self.storedAt = storedAt
    self.failure = failure
    self.isOfFailure = isOfFailure
    self.validators = validators
    self.json = json
  }
}
