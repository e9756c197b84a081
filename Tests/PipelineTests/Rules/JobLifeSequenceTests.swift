import Pipeline
import PipelineTesting
import Testing

/// Lives of chance: late, doubled and foreign events among those that fit.
struct JobLifeSequenceTests {
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `whatever happens, a job ends once and stays over`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for round in 0..<200 {
      var life = JobLife(waiting: Bool.random(using: &random))
      var ends = 0
      for _ in 0..<60 {
        let before = life
        let applied = happen(to: &life, using: &random)
        try #require(applied || life == before, "round \(round): a stale event changed \(before)")
        try #require(!applied || !before.isOver, "round \(round): \(before) left its end")
        if applied, life.isOver { ends += 1 }
      }
      if !life.isOver {
        ends += life.ended(.dead) ? 1 : 0
      }
      try #require(ends == 1)
    }
  }

  private func happen(to life: inout JobLife, using random: inout SeededGenerator) -> Bool {
    let token = LeaseToken(.random(in: 1...4, using: &random))
    let lease = Lease(token: token, attempt: .random(in: 0...5, using: &random))
    let end: JobLife.End = [.done, .dead, .cancelled].randomElement(using: &random) ?? .done
    let failure = Failure(.timeout, at: .body, "slow")
    return switch Int.random(in: 2..<20, using: &random) {
    case 2, 3, 4, 5: life.granted(Lease(token: token, attempt: life.attempts + 1))
    case 6: life.granted(lease)
    case 7, 8: life.ended(end, under: lease)
    case 9: life.ended(end)
    case 10, 11, 12: life.take(.failedForNow(token, until: Moment(unixMilliseconds: 1), failure))
    case 13, 14: life.take(.becameDue)
    case 15, 16, 17: life.take(.returned(token))
    default: life.take(.crashed(token))
    }
  }
}
