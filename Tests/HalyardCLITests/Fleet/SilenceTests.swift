import Pipeline
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

  @Test func `a fleet that has taken its time has not fallen silent`() {
    var silence = Silence()
    #expect(silence.heard(isAtIt: true) == nil)
    #expect(silence.lasted(2_500) == .busy && silence.isTold)
    #expect(silence.lasted(2_500) == nil)
    #expect(silence.heard() == nil && !silence.isTold)
    #expect(silence.lasted(2_500) == .silent)
  }

  @Test func `who has not answered yet has not fallen silent`() {
    var silence = Silence()
    #expect(silence.lasted(60_000) == nil && !silence.isTold)
  }

  @Test func `why a fleet takes no jobs is told once, until it takes some`() {
    func status(_ json: String) -> Pipeline.Message {
      let ask = Ask(StatusQuestion(), replyTo: Address(""), id: UUIDv7(high: 1, low: 1))
      return .tell(Tell(to: ask, at: Moment(unixMilliseconds: 0), json: Array(json.utf8)))
    }
    let full = status(#"{"health":"degraded","reason":"the disk is full"}"#)
    let batch = BatchID(UUIDv7(high: 1, low: 1))
    var hindrances = Hindrances()
    #expect(hindrances.heard(status(#"{"health":"ok","reason":null}"#), at: 1_000) == nil)
    #expect(!hindrances.takesNothing)
    #expect(hindrances.heard(full, at: 2_000) == "halyard: waiting for the fleet: the disk is full\n")
    #expect(hindrances.heard(full, at: 4_000) == nil)
    #expect(hindrances.milliseconds == 2_000)
    #expect(hindrances.heard(.receipt(Receipt(batch: batch, sequence: 0, inserted: 1)), at: 5_000) == nil)
    #expect(!hindrances.takesNothing && hindrances.milliseconds == 0)
    #expect(hindrances.heard(full, at: 7_000) != nil)
    #expect(hindrances.milliseconds == 0)
  }
}
