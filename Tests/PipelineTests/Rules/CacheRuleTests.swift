import Pipeline
import Testing

struct CacheRuleTests {
  private let rule = CacheRule(answersMilliseconds: 1_000)
  private let start = Moment(unixMilliseconds: 50_000)
  private static let validators = Validators(url: "http://a.test/", entityTag: "1", lastModified: nil)

  private func verdict(
    after milliseconds: Int64, isOfFailure: Bool = false, _ validators: Validators? = nil
  ) -> CacheRule.Verdict {
    let answer = CachedAnswer(
      question: "a", storedAt: start, failure: nil, isOfFailure: isOfFailure, validators: validators,
      json: [])
    return rule.verdict(on: answer, at: start.advanced(byMilliseconds: milliseconds))
  }

  @Test func `an answer is good for its time, and a failure for a tenth of it`() {
    #expect(verdict(after: 0) == .fresh(ageMilliseconds: 0))
    #expect(verdict(after: 999) == .fresh(ageMilliseconds: 999))
    #expect(verdict(after: 1_000) == .tooOld)
    #expect(verdict(after: 99, isOfFailure: true) == .fresh(ageMilliseconds: 99))
    #expect(verdict(after: 100, isOfFailure: true) == .tooOld)
    #expect(verdict(after: -1) == .tooOld)
  }

  @Test func `an old answer may be renewed when its server gave it a name; a failure never`() throws {
    let validators = try #require(Self.validators)
    #expect(verdict(after: 999, validators) == .fresh(ageMilliseconds: 999))
    #expect(verdict(after: 1_000, validators) == .mayBeRenewed(validators))
    #expect(verdict(after: 1_000, isOfFailure: true, validators) == .tooOld)
    #expect(verdict(after: -1, validators) == .tooOld)
  }

  @Test(arguments: FailureKind.allCases)
  func `failures are kept that the next one who asks would meet again`(kind: FailureKind) {
    let never: Set<FailureKind> = [.cancelled, .deadline, .poisoned, .blockedAddress, .robots]
    let isPermanent = !Failure(kind, at: .queue, "", retryable: false).retryable
    #expect(
      CacheRule.mayCache(Failure(kind, at: .queue, "", retryable: false))
        == (isPermanent && !never.contains(kind)))
    if Failure(kind, at: .queue, "", retryable: true).retryable {
      #expect(!CacheRule.mayCache(Failure(kind, at: .queue, "", retryable: true)))
    }
  }

  @Test(arguments: [
    (nil, nil), ("a\nX-Evil: 1", nil), ("a", "b\u{7F}"), (String(repeating: "x", count: 5_000), nil),
  ])
  func `what cannot stand in a request is no validator`(tag: String?, modified: String?) {
    #expect(Validators(url: "http://a.test/", entityTag: tag, lastModified: modified) == nil)
  }
}
