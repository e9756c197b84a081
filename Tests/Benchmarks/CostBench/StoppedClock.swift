import HalyardConcurrency
import Pipeline

/// It is always the same moment, so nothing is done because time has passed.
struct StoppedClock: PipelineClock {
  let now = Moment(unixMilliseconds: 1_700_000_000_000)

  func sleep(until moment: Moment) async throws {
    guard moment > now else { return }
    _ = try await TaskChannel<Void>(capacity: 0).receive()
  }
}
