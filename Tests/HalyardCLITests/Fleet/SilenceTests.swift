import Testing

@testable import HalyardCLI

@Suite struct SilenceTests {
  @Test func `silence is told once, and its end`() {
    var silence = Silence()
    #expect(silence.heard() == nil)
    #expect(silence.lasted(1_000) == nil)
    #expect(silence.lasted(1_500) == .silent)
    #expect(silence.lasted(60_000) == nil)
    #expect(silence.isTold)
    #expect(silence.heard() == .back)
    #expect(silence.heard() == nil && !silence.isTold)
  }

  @Test func `pauses between answers do not add up`() {
    var silence = Silence()
    for _ in 0..<10 {
      #expect(silence.heard() == nil)
      #expect(silence.lasted(2_000) == nil)
    }
  }

  @Test func `who has not answered yet has not fallen silent`() {
    var silence = Silence()
    #expect(silence.lasted(60_000) == nil && !silence.isTold)
  }
}
