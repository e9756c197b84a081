import Pipeline
import Testing

@testable import Roles

/// No job that was left out is passed over by all that follows.
@Suite(.timeLimit(.minutes(5)))
struct BatchBacklogTests {
  private static func id(_ ordinal: UInt64) -> JobID {
    JobID(batch: BatchID(UUIDv7(high: 1, low: 1)), ordinal: ordinal)
  }

  private static let far = UInt64(1) << UInt64(ReadyPlace.blockBits)

  private func place(after backlog: inout BatchBacklog, _ host: String) -> JobID?? {
    backlog.nextHost { $0 == host }.map(\.after)
  }

  @Test func `when some of a batch were left out, known hosts are read from their first job`() {
    var backlog = BatchBacklog()
    backlog.wentRound(to: nil)
    _ = backlog.read("a", upTo: Self.id(500))
    #expect(place(after: &backlog, "a") == .some(Self.id(500)))
    backlog.missedSome()
    #expect(place(after: &backlog, "a") == .some(nil))
    #expect(backlog.round == .first)
  }

  @Test func `a host that a round finds far on is read from its first job when another round is due for it`()
  {
    var backlog = BatchBacklog()
    backlog.wentRound(to: ReadyPlace(block: 20))
    backlog.missed(in: 0)
    _ = backlog.read("a", upTo: Self.id(40 * Self.far))
    #expect(place(after: &backlog, "a") == .some(nil))
    backlog.wentRound(to: nil)
    #expect(backlog.round == .first)
  }

  @Test func `a job that the round has not reached makes no other round`() {
    var backlog = BatchBacklog()
    backlog.wentRound(to: ReadyPlace(block: 20))
    backlog.missed(in: 21)
    _ = backlog.read("a", upTo: Self.id(40 * Self.far))
    #expect(place(after: &backlog, "a") == .some(Self.id(40 * Self.far)))
    backlog.wentRound(to: nil)
    #expect(backlog.round == nil)
  }
}
