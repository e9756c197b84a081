import Testing

@testable import HalyardCLI

/// When `up` says that its aggregator does not answer, and when it starts it again.
struct AnswerRuleTests {
  @Test func `an aggregator that falls silent is told of once, and killed after a minute`() {
    var rule = AnswerRule()
    #expect(rule.answered(by: 7) == nil)
    let orders = (0..<20).map { _ in rule.silent(7, forMilliseconds: 3_000) }
    #expect(orders[1] == .tell(milliseconds: 6_000))
    #expect(orders[19] == .restart(milliseconds: 60_000))
    #expect(orders.compactMap(\.self).count == 2)
    #expect(rule.silent(7, forMilliseconds: 3_000) == nil)
  }

  @Test func `one that answers again is told of, and has its minute anew`() {
    var rule = AnswerRule()
    _ = rule.answered(by: 7)
    #expect(rule.silent(7, forMilliseconds: 50_000) == .tell(milliseconds: 50_000))
    #expect(rule.answered(by: 7) == .tellOfAnswer)
    #expect(rule.answered(by: 7) == nil)
    #expect(rule.silent(7, forMilliseconds: 50_000) == .tell(milliseconds: 50_000))
  }

  @Test func `one that has never answered is left alone, however long it takes`() {
    var rule = AnswerRule()
    #expect(rule.silent(7, forMilliseconds: 900_000) == nil)
    _ = rule.answered(by: 7)
    #expect(rule.silent(8, forMilliseconds: 900_000) == nil)
    #expect(rule.silent(nil, forMilliseconds: 900_000) == nil)
    #expect(rule.answered(by: 8) == nil)
  }
}
