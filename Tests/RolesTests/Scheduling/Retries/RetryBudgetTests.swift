import Pipeline
import Testing

@testable import Roles

struct RetryBudgetTests {
  /// Retries that a budget gives when so many first attempts have ended.
  private func granted(_ percent: Int, after attempts: Int) -> Int {
    var budget = RetryBudget(percent: percent)
    for _ in 0..<attempts { budget.firstAttemptEnded() }
    var count = 0
    while budget.spend() { count += 1 }
    return count
  }

  @Test(arguments: [
    (20, 0, 100), (20, 4, 100), (20, 5, 101), (20, 1_000, 300), (0, 1_000, 100), (100, 1_000, 1_100),
    (300, 10, 130), (20, 1_000_000, 10_000), (-5, 10, 100),
  ])
  func `first attempts save for retries`(percent: Int, attempts: Int, retries: Int) {
    #expect(granted(percent, after: attempts) == retries)
  }

  @Test func `an outage multiplies the traffic by no more than the share`() {
    var budget = RetryBudget(percent: 20)
    var retries = 0
    for _ in 0..<10_000 {
      budget.firstAttemptEnded()
      for _ in 0..<3 where budget.spend() { retries += 1 }
    }
    #expect(retries == 2_100)
    #expect(budget.refused == 30_000 - 2_100)
    #expect(budget.left == 0)
  }
}
