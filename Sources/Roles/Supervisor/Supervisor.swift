public import Pipeline
import Posix

/// Keeps processes running: starts what dies again, and stops them in order.
public actor Supervisor {
  /// Until a process that was asked to end is killed; longer than it takes itself.
  static let patienceMilliseconds: Int64 = 30_000

  private let slots: [SupervisedSlot]
  private let clock: any PipelineClock
  private var lives: [Task<Int32?, Never>] = []
  private var isStopping = false

  /// - Parameter report: Told what happens, in lines for people.
  public init(
    _ plans: [ChildPlan], clock: any PipelineClock, report: @escaping @Sendable (String) -> Void
  ) {
    self.clock = clock
    slots = plans.map { SupervisedSlot($0, clock: clock, report: report) }
  }

  /// Runs them until they are stopped, or one of them cannot be run at all.
  ///
  /// - Returns: The exit code of the one that cannot be run; nil after a stop.
  public func run() async -> Int32? {
    lives = slots.map { slot in Task { await slot.run() } }
    return await withTaskGroup(of: Int32?.self) { group in
      for life in lives { group.addTask { await life.value } }
      var hopeless: Int32?
      for await status in group where status != nil {
        hopeless = hopeless ?? status
        group.addTask {
          await self.stop()
          return nil
        }
      }
      return hopeless
    }
  }

  /// Asks them to end, stage after stage, and returns when all have.
  public func stop() async {
    guard !isStopping else { return }
    isStopping = true
    for slot in slots { slot.startNoMore() }
    let all = Array(zip(slots, lives))
    for stage in Set(slots.map(\.plan.stage)).sorted() {
      let stopping = all.filter { $0.0.plan.stage == stage }
      for (slot, _) in stopping { slot.send(SignalWatch.terminate) }
      let late = Task { [clock] in
        let deadline = clock.now.advanced(byMilliseconds: Self.patienceMilliseconds)
        guard (try? await clock.sleep(until: deadline)) != nil else { return }
        for (slot, _) in stopping { slot.send(SignalWatch.kill) }
      }
      for (_, life) in stopping { _ = await life.value }
      late.cancel()
    }
  }

  /// Ends all of them at once.
  public func kill() {
    isStopping = true
    for slot in slots {
      slot.startNoMore()
      slot.send(SignalWatch.kill)
    }
  }
}
