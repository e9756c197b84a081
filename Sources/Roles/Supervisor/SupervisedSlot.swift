import Pipeline
import Posix

/// One process of a supervisor's, in all its lives.
final class SupervisedSlot: Sendable {
  private struct State {
    var child: ChildProcess?
    var pause: Task<Void, Never>?
    var startsAgain = true
    var isAskedToEnd = false
    var isOver = false
  }

  let plan: ChildPlan
  private let clock: any PipelineClock
  private let restarted: @Sendable (ChildPlan, ChildEnding) -> Void
  private let report: Supervisor.Report
  private let state = Lock(State())

  init(
    _ plan: ChildPlan, clock: any PipelineClock,
    restarted: @escaping @Sendable (ChildPlan, ChildEnding) -> Void,
    report: @escaping Supervisor.Report
  ) {
    self.plan = plan
    self.clock = clock
    self.restarted = restarted
    self.report = report
  }

  /// - Returns: The exit code with which it cannot be run; nil when it was stopped.
  func run() async -> Int32? {
    defer { state.withLock { $0.isOver = true } }
    var rule = RestartRule()
    while true {
      let startedAt = clock.now
      guard let ending = await live() else { return nil }
      let life = clock.now.milliseconds(since: startedAt)
      guard state.withLock({ $0.startsAgain }) else {
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
          "\(plan.name) \(ending.words) after \(Self.seconds(life)) s; starts again in \(wait) ms")
        await pause(wait)
      case .renew(let wait):
        report(.info, "\(plan.name) ended to read its files; starts again in \(wait) ms")
        await pause(wait)
      }
    }
  }

  /// One life, to its end; nil when it was not to begin.
  private func live() async -> ChildEnding? {
    do {
      let child = try state.withLock { state throws(PosixError) -> ChildProcess? in
        guard state.startsAgain else { return nil }
        let child = try ChildProcess.start(
          path: plan.program, arguments: [plan.program] + plan.arguments
        ) { [plan, report] isStopped in
          if isStopped {
            report(.warning, "\(plan.name) is stopped by a signal, and does nothing until it gets SIGCONT")
          } else {
            report(.info, "\(plan.name) goes on")
          }
        }
        state.child = child
        return child
      }
      guard let child else { return nil }
      report(.info, "\(plan.name) runs as process \(child.id)")
      return await child.end()
    } catch {
      report(.warning, "\(plan.name) cannot be started from \(plan.program): \(error.message)")
      return .exited(71)
    }
  }

  private func pause(_ milliseconds: Int64) async {
    let pause = state.withLock { state -> Task<Void, Never>? in
      guard state.startsAgain else { return nil }
      let pause = Task { [clock] in
        // Cut short when there is no next life.
        do { try await clock.sleep(until: clock.now.advanced(byMilliseconds: milliseconds)) } catch {}
      }
      state.pause = pause
      return pause
    }
    await pause?.value
  }

  /// Lets the next end be the last.
  func startNoMore() {
    state.withLock { state in
      state.startsAgain = false
      state.pause?.cancel()
    }
  }

  /// Asks it to finish what it has and end, once: a worker that is asked twice ends at once.
  func finish() {
    startNoMore()
    let child = state.withLock { state in
      defer { state.isAskedToEnd = true }
      return state.isAskedToEnd ? nil : state.child
    }
    child?.send(SignalWatch.terminate)
  }

  /// It starts again when it ends.
  var isToStay: Bool { state.withLock { $0.startsAgain && !$0.isOver } }

  /// It has ended, and does not start again.
  var isOver: Bool { state.withLock { $0.isOver } }

  func send(_ signal: Int32) {
    state.withLock { $0.child }?.send(signal)
  }

  private static func seconds(_ milliseconds: Int64) -> String {
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
