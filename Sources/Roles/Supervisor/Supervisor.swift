public import Pipeline
import Posix

/// Keeps processes running: starts what dies again, and stops them in order.
public actor Supervisor {
  /// Until a process that was asked to end is killed; longer than it takes itself.
  static let patienceMilliseconds: Int64 = 30_000

  private let slots: [SupervisedSlot]
  private let clock: any PipelineClock
  private var isStopping = false
  private var hopeless: Int32?

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
    await withTaskGroup(of: Int32?.self) { group in
      for slot in slots { group.addTask { await slot.run() } }
      for await status in group {
        guard let status, hopeless == nil else { continue }
        hopeless = status
        Task { await self.stop() }
      }
    }
    return hopeless
  }

  /// Asks them to end, stage after stage, and returns when all have.
  public func stop() async {
    guard !isStopping else { return }
    isStopping = true
    for slot in slots { slot.startNoMore() }
    for stage in Set(slots.map(\.plan.stage)).sorted() {
      let stopping = slots.filter { $0.plan.stage == stage }
      for slot in stopping { slot.send(SignalWatch.terminate) }
      let late = Task { [clock] in
        let deadline = clock.now.advanced(byMilliseconds: Self.patienceMilliseconds)
        guard (try? await clock.sleep(until: deadline)) != nil else { return }
        for slot in stopping { slot.send(SignalWatch.kill) }
      }
      for slot in stopping { await slot.end() }
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
