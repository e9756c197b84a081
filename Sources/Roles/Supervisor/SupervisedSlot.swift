import Pipeline
import Posix

/// One process of a supervisor's, in all its lives.
final class SupervisedSlot {
  let plan: ChildPlan
  /// Over when it has ended for good.
  var life: Task<Void, Never>?
  fileprivate var child: ChildProcess?
  fileprivate var pause: Task<Void, Never>?
  fileprivate var startsAgain = true
  private var isAskedToEnd = false
  /// It has ended, and does not start again.
  fileprivate(set) var isOver = false

  init(_ plan: ChildPlan) {
    self.plan = plan
  }

  /// Lets the next end be the last.
  func startNoMore() {
    startsAgain = false
    pause?.cancel()
  }

  /// Asks it to finish what it has and end, once: a worker that is asked twice ends at once.
  func finish() {
    startNoMore()
    if !isAskedToEnd { child?.send(SignalWatch.terminate) }
    isAskedToEnd = true
  }

  /// It starts again when it ends.
  var isToStay: Bool { startsAgain && !isOver }

  func send(_ signal: Int32) { child?.send(signal) }
}

extension Supervisor {
  /// - Returns: The exit code with which it cannot be run; nil when it was stopped.
  func run(_ slot: SupervisedSlot) async -> Int32? {
    defer { slot.isOver = true }
    let plan = slot.plan
    var rule = RestartRule()
    while true {
      let startedAt = clock.now
      guard let ending = await live(slot) else { return nil }
      let life = clock.now.milliseconds(since: startedAt)
      guard slot.startsAgain else {
        report(.info, "\(plan.name) stopped")
        return nil
      }
      switch rule.ended(ending, afterMilliseconds: life) {
      case .end:
        report(.info, "\(plan.name) was drained, and does not start again")
        return nil
      case .giveUp:
        report(.error, "\(plan.name) \(ending.words), and would again")
        if case .exited(let status) = ending { return status }
        return nil
      case .start(let wait):
        restarted(plan, ending)
        report(
          ending == .exited(0) ? .info : .warning,
          "\(plan.name) \(ending.words) after \(seconds(life)) s; starts again in \(wait) ms")
        await pause(slot, wait)
      case .renew(let wait):
        report(.info, "\(plan.name) ended to read its files; starts again in \(wait) ms")
        await pause(slot, wait)
      }
    }
  }

  /// One life, to its end; nil when it was not to begin.
  private func live(_ slot: SupervisedSlot) async -> ChildEnding? {
    guard slot.startsAgain else { return nil }
    let plan = slot.plan
    do {
      let child = try ChildProcess.start(
        path: plan.program, arguments: [plan.program] + plan.arguments
      ) { [report] isStopped in
        if isStopped {
          report(.warning, "\(plan.name) is stopped by a signal, and does nothing until it gets SIGCONT")
        } else {
          report(.info, "\(plan.name) goes on")
        }
      }
      slot.child = child
      report(.info, "\(plan.name) runs as process \(child.id)")
      return await child.end()
    } catch {
      report(.warning, "\(plan.name) cannot be started from \(plan.program): \(error.message)")
      return .exited(71)
    }
  }

  private func pause(_ slot: SupervisedSlot, _ milliseconds: Int64) async {
    guard slot.startsAgain else { return }
    let pause = Task { [clock] in
      // Cut short when there is no next life.
      do { try await clock.sleep(until: clock.now.advanced(byMilliseconds: milliseconds)) } catch {}
    }
    slot.pause = pause
    await pause.value
  }

  private func seconds(_ milliseconds: Int64) -> String {
    "\(milliseconds / 1_000).\(milliseconds / 100 % 10)"
  }
}

extension ChildEnding {
  /// Follows the name of the process that ended.
  fileprivate var words: String {
    switch self {
    case .exited(let status): "ended with exit code \(status)"
    case .killed(let signal): "was killed by signal \(signal)"
    }
  }
}
