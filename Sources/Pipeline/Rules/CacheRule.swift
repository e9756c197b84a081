/// Which answers are kept, and how long they are as good as new ones.
public struct CacheRule: Hashable, Sendable {
  /// No job can ask for older ones.
  public static let longestMilliseconds: Int64 = 30 * 24 * 3_600_000
  /// The default.
  public static let mostAnswers = 100_000
  /// What they may take together, but for what came since they were counted last.
  public static let mostBytes: Int64 = 1 << 30
  /// What takes more of a row is not kept.
  public static let longestAnswer = 256 << 10

  /// How long an answer is good.
  public var answersMilliseconds: Int64
  /// How long a failure is, or an answer that tells of one.
  public var failuresMilliseconds: Int64

  /// - Parameter failuresMilliseconds: nil for a tenth of the time for answers.
  public init(answersMilliseconds: Int64, failuresMilliseconds: Int64? = nil) {
    self.answersMilliseconds = answersMilliseconds
    self.failuresMilliseconds = failuresMilliseconds ?? max(1, answersMilliseconds / 10)
  }

  public enum Verdict: Hashable, Sendable {
    /// As good as a new one.
    case fresh(ageMilliseconds: Int64)
    /// Too old, but the server can say that nothing has changed.
    case mayBeRenewed(Validators)
    case tooOld
  }

  /// An answer from the future is of no use: the clock was set.
  public func verdict(on answer: CachedAnswer, at now: Moment) -> Verdict {
    let age = now.milliseconds(since: answer.storedAt)
    let limit = answer.isOfFailure ? failuresMilliseconds : answersMilliseconds
    if (0..<limit).contains(age) { return .fresh(ageMilliseconds: age) }
    guard let validators = answer.validators, !answer.isOfFailure, age >= limit else { return .tooOld }
    return .mayBeRenewed(validators)
  }

  /// Whether the next one who asks would come to the same end.
  public static func mayCache(_ failure: Failure?) -> Bool {
    guard let failure else { return true }
    return !failure.retryable && failure.kind.traits.caching == .kept
  }
}
