import Pipeline
import Testing

@testable import Roles

struct RetryRuleTests {
  private static let passing = Failure(.connect, at: .connect, "connection refused")

  /// With a jitter of one half the factor is exactly 1.
  @Test(
    arguments: [
      (1, 2_000), (2, 4_000), (3, 8_000), (4, 16_000), (8, 256_000), (9, 300_000), (17, 300_000),
      (18, 300_000), (1_000, 300_000), (.max, 300_000),
    ] as [(UInt16, Int64)])
  func `the wait doubles up to five minutes`(attempt: UInt16, wait: Int64) {
    #expect(RetryRule(retries: .max).wait(after: attempt, Self.passing, jitter: 0.5) == wait)
  }

  @Test(
    arguments: [(0, 1_000), (0.25, 1_500), (0.999_999, 2_999), (-5, 1_000), (7, 3_000)] as [(Double, Int64)])
  func `jitter is half to one and a half, whatever it is`(jitter: Double, wait: Int64) {
    #expect(RetryRule().wait(after: 1, Self.passing, jitter: jitter) == wait)
  }

  @Test func `attempts beyond the retries are not made`() {
    let rule = RetryRule(retries: 2)
    #expect(rule.wait(after: 2, Self.passing, jitter: 0.5) != nil)
    #expect(rule.wait(after: 3, Self.passing, jitter: 0.5) == nil)
    #expect(RetryRule(retries: 0).wait(after: 1, Self.passing, jitter: 0.5) == nil)
  }

  @Test func `what will not pass is not tried again, even when the peer names a time`() {
    let failure = Failure(.notHTML, at: .headers, "a PDF", retryAfterMilliseconds: 1_000)
    #expect(RetryRule().wait(after: 1, failure, jitter: 0.5) == nil)
  }

  @Test(
    arguments: [
      ("shorter than ours", 500, 2_000), ("longer than ours", 60_000, 60_000),
      ("longer than the cap", 86_400_000, 300_000), ("for ever", .max, 300_000), ("in the past", -1, 2_000),
      ("long ago", .min, 2_000),
    ] as [(String, Int64, Int64)])
  func `Retry-After counts when it is longer, up to the cap`(name: String, asked: Int64, wait: Int64) {
    let failure = Failure(.httpStatus, at: .headers, "429", retryable: true, retryAfterMilliseconds: asked)
    #expect(RetryRule().wait(after: 1, failure, jitter: 0.5) == wait)
  }
}
