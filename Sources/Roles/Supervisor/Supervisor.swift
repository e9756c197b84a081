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

  private let first: [ChildPlan]
  let clock: any PipelineClock
  let report: Report
  let restarted: @Sendable (ChildPlan, ChildEnding) -> Void
  private let failed: @Sendable (Int32) -> Void
  private var children: [SupervisedSlot] = []
  /// Children that end for good, each with the exit code with which it cannot be run.
  private let ends: AsyncStream<(name: String, permanent: Int32?)>
  private let ended: AsyncStream<(name: String, permanent: Int32?)>.Continuation
  /// Each waits for children that were asked to end.
  private var endings: [Task<Void, Never>] = []
  private var isStopping = false

  /// - Parameters:
  ///   - restarted: Told of each child that is to be started again, and how it ended.
  ///   - failed: Told the exit code of the first that cannot be run, before the others are asked to end.
  ///   - report: Told what happens, for people.
  package init(
    _ plans: [ChildPlan], clock: any PipelineClock,
    restarted: @escaping @Sendable (ChildPlan, ChildEnding) -> Void = { _, _ in },
    failed: @escaping @Sendable (Int32) -> Void = { _ in }, report: @escaping Report
  ) {
    (first, self.clock, self.report) = (plans, clock, report)
    (self.restarted, self.failed) = (restarted, failed)
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
      children.removeAll { $0.plan.name == end.name }
      guard let status = end.permanent else { continue }
      if permanent == nil {
        permanent = status
        failed(status)
      }
      endings.append(Task { await stop() })
    }
    isStopping = true
    for ending in endings { await ending.value }
    return permanent
  }

  private func begin(_ plan: ChildPlan) {
    guard !isStopping else { return }
    let slot = SupervisedSlot(plan)
    slot.life = Task { ended.yield((plan.name, await run(slot))) }
    children.append(slot)
  }

  /// Asks them to end, stage after stage, and returns when all have.
  package func stop() async {
    guard !isStopping else { return }
    isStopping = true
    let all = children
    for child in all { child.startNoMore() }
    let last = clock.now.advanced(byMilliseconds: Self.longestStopMilliseconds)
    for stage in Set(all.map(\.plan.stage)).sorted() {
      await end(all.filter { $0.plan.stage == stage }, notAfter: last)
    }
  }

  private func end(_ stopping: [SupervisedSlot], notAfter last: Moment) async {
    let deadline = min(last, clock.now.advanced(byMilliseconds: Self.timeoutMilliseconds))
    for child in stopping { child.finish() }
    let late = Task { try await hurry(stopping, until: deadline) }
    for child in stopping { await child.life?.value }
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
    for child in children where !isSpared(child.plan) { child.send(signal) }
  }

  /// Ends all of them at once.
  package func kill() {
    isStopping = true
    for child in children {
      child.startNoMore()
      child.send(SignalWatch.kill)
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
    let (staying, all) = (staying(kind), children.compactMap { $0.plan.number(as: kind) })
    let rule = ScaleRule(to: count, staying: staying, leaving: Set(all).subtracting(staying))
    for number in rule.starting { begin(plan(number)) }
    let ending = children.filter { $0.plan.number(as: kind).map(rule.ending.contains) ?? false }
    guard !ending.isEmpty else { return true }
    for child in ending { report(.info, "\(child.plan.name) finishes what it has and ends") }
    let last = clock.now.advanced(byMilliseconds: Self.timeoutMilliseconds)
    endings.append(Task { await end(ending, notAfter: last) })
    return true
  }

  private func staying(_ kind: String) -> Set<Int> {
    Set(children.filter(\.isToStay).compactMap { $0.plan.number(as: kind) })
  }
}

/// When a worker that ended starts again: after 100 ms, then twice as long each time up to 5 s, and from the beginning
/// once one has lived for 10 s. One that ended in order after a second or more has not failed. A pure value.
package struct RestartRule: Hashable, Sendable {
  package enum Order: Hashable, Sendable {
    case start(afterMilliseconds: Int64)
    /// It ended to be started again, which is no failure.
    case renew(afterMilliseconds: Int64)
    /// The fleet wanted it to end.
    case end
    /// It would only end the same way.
    case giveUp
  }

  static let firstWait: Int64 = 100
  static let longestWait: Int64 = 5_000
  static let soundLife: Int64 = 10_000
  static let orderlyLife: Int64 = 1_000
  /// A worker ends with it if its settings can never work as they are; sysexits.h calls it EX_CONFIG.
  package static let permanentExit: Int32 = 78
  /// Exit codes of a command line or an input that makes no sense, and of what cannot work.
  static let permanent: Set<Int32> = [64, 65, permanentExit]

  /// A worker ends with it when another is to start in its place, as after a reload; sysexits.h calls it EX_TEMPFAIL.
  static let startAgainExit: Int32 = 75

  /// A worker ends with it when it was drained by its fleet.
  package static let drainedExit: Int32 = 79

  /// A worker ends with it when it cannot have its ledger or its address now; sysexits.h calls it EX_UNAVAILABLE. One
  /// that had them before gets them again as soon as they are free. One that never had them tries a moment longer,
  /// because a fleet that was killed may have them still, and then takes them for another process's.
  static let unavailableExit: Int32 = 69
  static let mostRefusals = 3

  private var wait = firstWait
  private var hasServed = false
  private var refusals = 0
  /// What cannot work now has worked before: files of settings may be mended while the others go on.
  private var hasLivedSoundly = false

  package init() {}

  package mutating func ended(_ ending: ChildEnding, afterMilliseconds life: Int64) -> Order {
    if ending == .exited(Self.drainedExit) { return .end }
    defer { if life >= Self.soundLife { hasLivedSoundly = true } }
    if case .exited(let status) = ending, Self.permanent.contains(status) {
      return hasLivedSoundly ? .start(afterMilliseconds: Self.longestWait) : .giveUp
    }
    if ending == .exited(Self.unavailableExit) { refusals += 1 } else { hasServed = true }
    if !hasServed, refusals > Self.mostRefusals { return .giveUp }
    let isRenewal = ending == .exited(Self.startAgainExit)
    let pause = pause(isInOrder: isRenewal || ending == .exited(0), afterMilliseconds: life)
    return isRenewal ? .renew(afterMilliseconds: pause) : .start(afterMilliseconds: pause)
  }

  private mutating func pause(isInOrder: Bool, afterMilliseconds life: Int64) -> Int64 {
    if isInOrder, life >= Self.orderlyLife { return Self.firstWait }
    if life >= Self.soundLife { wait = Self.firstWait }
    defer { wait = min(Self.longestWait, wait * 2) }
    return wait
  }
}

/// Which of the children of a kind start or end so that there are as many as wanted. A pure value.
package struct ScaleRule: Hashable, Sendable {
  package private(set) var starting: [Int] = []
  package private(set) var ending: [Int] = []

  /// - Parameters:
  ///   - staying: The numbers of those that run and are not to end.
  ///   - leaving: Of those that end already; a new one does not get such a number.
  package init(to count: Int, staying: Set<Int>, leaving: Set<Int>) {
    ending = Array(staying.sorted().dropFirst(count))
    var number = 1
    while starting.count < count - staying.count {
      if !staying.contains(number), !leaving.contains(number) { starting.append(number) }
      number += 1
    }
  }
}

/// A process that a supervisor keeps running.
package struct ChildPlan: Hashable, Sendable {
  /// What messages call it.
  package var name: String
  package var program: String
  /// Behind the program's name.
  package var arguments: [String]
  /// Children of smaller stages are stopped first, and have ended before those of greater stages are stopped.
  package var stage: Int

  package init(name: String, program: String, arguments: [String], stage: Int) {
    self.name = name
    self.program = program
    self.arguments = arguments
    self.stage = stage
  }

  /// A child that is one of several alike: `fetcher 2`.
  package static func name(_ kind: String, _ number: Int) -> String { "\(kind) \(number)" }

  /// The number in the name of a child of this kind; nil for any other.
  package func number(as kind: String) -> Int? {
    guard name.hasPrefix("\(kind) ") else { return nil }
    return Int(name.dropFirst(kind.count + 1))
  }
}
