package import Pipeline
package import Posix

/// Keeps processes running: starts what dies again, starts more and ends some as it is told, and stops all in order.
package actor Supervisor {
  /// Until a process that was asked to end is killed; longer than it takes itself.
  static let timeoutMilliseconds: Int64 = 30_000
  /// Until the last of them is killed, however long those before it took.
  static let longestStopMilliseconds: Int64 = 65_000
  /// After so long it is said who is waited for.
  static let silenceMilliseconds: Int64 = 1_000

  package typealias Report = @Sendable (LogLevel, String) -> Void

  private struct Child: Sendable {
    let slot: SupervisedSlot
    let life: Task<Void, Never>
  }

  private let first: [ChildPlan]
  private let clock: any PipelineClock
  private let report: Report
  private let restarted: @Sendable (ChildPlan, ChildEnding) -> Void
  private var children: [Child] = []
  /// Children that end for good, each with the exit code with which it cannot be run.
  private let ends: AsyncStream<(name: String, permanent: Int32?)>
  private let ended: AsyncStream<(name: String, permanent: Int32?)>.Continuation
  /// Each waits for children that were asked to end.
  private var endings: [Task<Void, Never>] = []
  private var isStopping = false

  /// - Parameters:
  ///   - restarted: Told of each child that is to be started again, and how it ended.
  ///   - report: Told what happens, for people.
  package init(
    _ plans: [ChildPlan], clock: any PipelineClock,
    restarted: @escaping @Sendable (ChildPlan, ChildEnding) -> Void = { _, _ in },
    report: @escaping Report
  ) {
    (first, self.clock, self.restarted, self.report) = (plans, clock, restarted, report)
    (ends, ended) = AsyncStream.makeStream()
  }

  /// Runs them until they are stopped, or one of them cannot be run at all.
  ///
  /// - Returns: The exit code of the one that cannot be run; nil after a stop.
  package func run() async -> Int32? {
    for plan in first { begin(plan) }
    var permanent: Int32?
    var iterator = ends.makeAsyncIterator()
    while !children.isEmpty, let end = await iterator.next() {
      children.removeAll { $0.slot.plan.name == end.name }
      guard let status = end.permanent else { continue }
      permanent = permanent ?? status
      endings.append(Task { await stop() })
    }
    isStopping = true
    for ending in endings { await ending.value }
    return permanent
  }

  private func begin(_ plan: ChildPlan) {
    guard !isStopping else { return }
    let slot = SupervisedSlot(plan, clock: clock, restarted: restarted, report: report)
    let life = Task { [ended] in
      let permanent = await slot.run()
      ended.yield((plan.name, permanent))
    }
    children.append(Child(slot: slot, life: life))
  }

  /// Asks them to end, stage after stage, and returns when all have.
  package func stop() async {
    guard !isStopping else { return }
    isStopping = true
    let all = children
    for child in all { child.slot.startNoMore() }
    let last = clock.now.advanced(byMilliseconds: Self.longestStopMilliseconds)
    for stage in Set(all.map(\.slot.plan.stage)).sorted() {
      await end(all.filter { $0.slot.plan.stage == stage }, notAfter: last)
    }
  }

  private func end(_ stopping: [Child], notAfter last: Moment) async {
    let deadline = min(last, clock.now.advanced(byMilliseconds: Self.timeoutMilliseconds))
    for child in stopping { child.slot.finish() }
    let late = Task { try await hurry(stopping.map(\.slot), until: deadline) }
    for child in stopping { await child.life.value }
    late.cancel()
  }

  /// Says who takes its time, and kills them at the deadline.
  private func hurry(_ slots: [SupervisedSlot], until deadline: Moment) async throws {
    try await clock.sleep(until: clock.now.advanced(byMilliseconds: Self.silenceMilliseconds))
    let names = slots.filter { !$0.isOver }.map(\.plan.name).joined(separator: ", ")
    let seconds = max(1, deadline.milliseconds(since: clock.now) / 1_000)
    report(.info, "waiting for \(names) to finish what is under way, at most \(seconds) s more")
    try await clock.sleep(until: deadline)
    for slot in slots where !slot.isOver {
      report(.warning, "\(slot.plan.name) did not end in time and is killed")
      slot.send(SignalWatch.kill)
    }
  }

  /// Sends a signal to all that run, but for those that are spared.
  package func send(_ signal: Int32, sparing isSpared: (ChildPlan) -> Bool = { _ in false }) {
    for child in children where !isSpared(child.slot.plan) { child.slot.send(signal) }
  }

  /// Ends all of them at once.
  package func kill() {
    isStopping = true
    for child in children {
      child.slot.startNoMore()
      child.slot.send(SignalWatch.kill)
    }
  }
}

// More or fewer of a kind.
extension Supervisor {
  /// How many of a kind run and are not to end.
  package func count(of kind: String) -> Int { staying(kind).count }

  /// Starts or ends children until there are as many as wanted. Those that end finish what they have first.
  ///
  /// - Parameter plan: Of the child with a number.
  /// - Returns: False when all of them are to end.
  package func scale(_ kind: String, to count: Int, _ plan: (Int) -> ChildPlan) -> Bool {
    guard !isStopping else { return false }
    let (staying, all) = (staying(kind), children.compactMap { $0.slot.plan.number(as: kind) })
    let rule = ScaleRule(to: count, staying: staying, leaving: Set(all).subtracting(staying))
    for number in rule.starting { begin(plan(number)) }
    let ending = children.filter { $0.slot.plan.number(as: kind).map(rule.ending.contains) ?? false }
    guard !ending.isEmpty else { return true }
    for child in ending { report(.info, "\(child.slot.plan.name) finishes what it has and ends") }
    let last = clock.now.advanced(byMilliseconds: Self.timeoutMilliseconds)
    endings.append(Task { await end(ending, notAfter: last) })
    return true
  }

  private func staying(_ kind: String) -> Set<Int> {
    Set(children.filter(\.slot.isToStay).compactMap { $0.slot.plan.number(as: kind) })
  }
}
