package import Pipeline
import Posix

/// Keeps processes running: starts what dies again, and stops them in order.
package actor Supervisor {
  /// Until a process that was asked to end is killed; longer than it takes itself.
  static let timeoutMilliseconds: Int64 = 30_000
  /// Until the last of them is killed, however long those before it took.
  static let longestStopMilliseconds: Int64 = 65_000
  /// After so long it is said who is waited for.
  static let silenceMilliseconds: Int64 = 1_000

  private let slots: [SupervisedSlot]
  private let clock: any PipelineClock
  private let report: @Sendable (String) -> Void
  private var lives: [Task<Int32?, Never>] = []
  private var isStopping = false

  /// - Parameter report: Told what happens, in lines for people.
  package init(
    _ plans: [ChildPlan], clock: any PipelineClock, report: @escaping @Sendable (String) -> Void
  ) {
    self.clock = clock
    self.report = report
    slots = plans.map { SupervisedSlot($0, clock: clock, report: report) }
  }

  /// Runs them until they are stopped, or one of them cannot be run at all.
  ///
  /// - Returns: The exit code of the one that cannot be run; nil after a stop.
  package func run() async -> Int32? {
    lives = slots.map { slot in Task { await slot.run() } }
    return await withTaskGroup(of: Int32?.self) { group in
      for life in lives { group.addTask { await life.value } }
      var permanent: Int32?
      for await status in group where status != nil {
        permanent = permanent ?? status
        group.addTask {
          await self.stop()
          return nil
        }
      }
      return permanent
    }
  }

  /// Asks them to end, stage after stage, and returns when all have.
  package func stop() async {
    guard !isStopping else { return }
    isStopping = true
    for slot in slots { slot.startNoMore() }
    let last = clock.now.advanced(byMilliseconds: Self.longestStopMilliseconds)
    let all = Array(zip(slots, lives))
    for stage in Set(slots.map(\.plan.stage)).sorted() {
      let stopping = all.filter { $0.0.plan.stage == stage }
      let deadline = min(last, clock.now.advanced(byMilliseconds: Self.timeoutMilliseconds))
      for (slot, _) in stopping { slot.send(SignalWatch.terminate) }
      let late = Task { try await hurry(stopping.map(\.0), until: deadline) }
      for (_, life) in stopping { _ = await life.value }
      late.cancel()
    }
  }

  /// Says who takes its time, and kills them at the deadline.
  private func hurry(_ slots: [SupervisedSlot], until deadline: Moment) async throws {
    try await clock.sleep(until: clock.now.advanced(byMilliseconds: Self.silenceMilliseconds))
    let names = slots.filter { !$0.isOver }.map(\.plan.name).joined(separator: ", ")
    let seconds = max(1, deadline.milliseconds(since: clock.now) / 1_000)
    report("waiting for \(names) to finish what is under way, at most \(seconds) s more")
    try await clock.sleep(until: deadline)
    for slot in slots where !slot.isOver {
      report("\(slot.plan.name) did not end in time and is killed")
      slot.send(SignalWatch.kill)
    }
  }

  /// The process that runs under a name now; nil between two lives.
  package func process(of name: String) -> Int32? {
    slots.first { $0.plan.name == name }?.process
  }

  /// Sends a signal to all that run, but for those that are spared.
  package func send(_ signal: Int32, sparing isSpared: (ChildPlan) -> Bool = { _ in false }) {
    for slot in slots where !isSpared(slot.plan) { slot.send(signal) }
  }

  /// Ends one of them at once; it starts again like any that died.
  package func kill(_ name: String) {
    slots.first { $0.plan.name == name }?.send(SignalWatch.kill)
  }

  /// Ends all of them at once.
  package func kill() {
    isStopping = true
    for slot in slots {
      slot.startNoMore()
      slot.send(SignalWatch.kill)
    }
  }
}
