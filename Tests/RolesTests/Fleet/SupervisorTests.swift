import Assembly
import Glibc
import Pipeline
import PipelineTesting
import Posix
import Testing

@testable import Roles

@Suite struct RestartRuleTests {
  @Test func `whoever keeps dying waits longer each time, up to five seconds`() {
    var rule = RestartRule()
    let waits = (0..<8).map { _ in rule.ended(.exited(1), afterMilliseconds: 9_999) }
    #expect(waits == [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000].map { .start(afterMilliseconds: $0) })
  }

  @Test func `whoever has lived for ten seconds starts from the beginning`() {
    var rule = RestartRule()
    for _ in 0..<4 { _ = rule.ended(.killed(signal: 9), afterMilliseconds: 0) }
    #expect(rule.ended(.killed(signal: 9), afterMilliseconds: 10_000) == .start(afterMilliseconds: 100))
  }

  @Test func `who was drained by its fleet does not start again`() {
    var rule = RestartRule()
    #expect(rule.ended(.exited(79), afterMilliseconds: 60_000) == .end)
  }

  @Test func `the newest end first, and a number that is still in use is not given twice`() {
    let fewer = ScaleRule(to: 2, staying: [1, 2, 3, 5], leaving: [])
    #expect(fewer.ending == [3, 5])
    #expect(fewer.starting == [])
    let more = ScaleRule(to: 4, staying: [1, 4], leaving: [2])
    #expect(more.starting == [3, 5])
    #expect(more.ending == [])
    #expect(ScaleRule(to: 1, staying: [], leaving: [1, 2]).starting == [3])
  }

  @Test(arguments: [64, 65, 78] as [Int32])
  func `what makes no sense is not tried again`(status: Int32) {
    var rule = RestartRule()
    #expect(rule.ended(.exited(status), afterMilliseconds: 60_000) == .giveUp)
  }

  @Test func `what has worked before is tried again, though slowly`() {
    var rule = RestartRule()
    _ = rule.ended(.killed(signal: 9), afterMilliseconds: 10_000)
    #expect(rule.ended(.exited(64), afterMilliseconds: 50) == .start(afterMilliseconds: 5_000))
  }

  @Test func `an end in order, as after a reload, is no failure`() {
    var rule = RestartRule()
    let orders = (0..<3).map { _ in rule.ended(.exited(0), afterMilliseconds: 1_000) }
    #expect(orders == Array(repeating: .start(afterMilliseconds: 100), count: 3))
    #expect(rule.ended(.exited(0), afterMilliseconds: 10) == .start(afterMilliseconds: 100))
    #expect(rule.ended(.exited(0), afterMilliseconds: 10) == .start(afterMilliseconds: 200))
  }

  @Test func `what ended to be started again has not failed, however often it does`() {
    var rule = RestartRule()
    let orders = (0..<9).map { _ in rule.ended(.exited(75), afterMilliseconds: 2_000) }
    #expect(orders == Array(repeating: .renew(afterMilliseconds: 100), count: 9))
    #expect(rule.ended(.killed(signal: 9), afterMilliseconds: 2_000) == .start(afterMilliseconds: 100))
  }

  @Test func `what somebody else has is tried for a moment, and for ever by who had it before`() {
    var new = RestartRule()
    let orders = (0..<4).map { _ in new.ended(.exited(69), afterMilliseconds: 50) }
    #expect(orders == [100, 200, 400].map { .start(afterMilliseconds: $0) } + [.giveUp])
    var old = RestartRule()
    _ = old.ended(.killed(signal: 9), afterMilliseconds: 50)
    let later = (0..<100).map { _ in old.ended(.exited(69), afterMilliseconds: 50) }
    #expect(!later.contains(.giveUp))
  }
}

/// Supervises small shell programs.
@Suite(.timeLimit(.minutes(10)))
struct SupervisorTests {
  private let directory: TemporaryDirectory
  private let said = Said()

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func plan(_ name: String, _ script: String, stage: Int = 0) -> ChildPlan {
    ChildPlan(name: name, program: "/bin/sh", arguments: ["-c", script], stage: stage)
  }

  private func supervisor(_ plans: ChildPlan...) -> Supervisor {
    Supervisor(
      plans, clock: SystemClock(), restarted: { [said] plan, _ in said.count(plan.name) },
      report: { [said] in said.add($1, at: $0) })
  }

  @Test func `what dies starts again, and a stop ends it`() async throws {
    let supervisor = supervisor(plan("worker", "exit 3"))
    async let end = supervisor.run()
    try await said.lines(with: "starts again in 200 ms")
    await supervisor.stop()
    #expect(await end == nil)
    #expect(said.all.contains { $0.hasPrefix("worker ended with exit code 3 after ") })
    #expect(said.level(of: "worker ended with exit code 3") == .warning)
  }

  @Test func `a death by a signal is a warning`() async throws {
    let supervisor = supervisor(plan("worker", "kill -9 $$"))
    async let end = supervisor.run()
    try await said.lines(with: "worker was killed by signal 9")
    await supervisor.stop()
    #expect(await end == nil)
    #expect(said.level(of: "worker was killed by signal 9") == .warning)
  }

  @Test func `a reload is no restart that counts`() async throws {
    let supervisor = supervisor(plan("decoder", "exit 75"), plan("fetcher", "exit 3"))
    async let end = supervisor.run()
    try await said.lines(with: "decoder ended to read its files; starts again in 200 ms")
    try await said.lines(with: "fetcher ended with exit code 3")
    await supervisor.stop()
    #expect(await end == nil)
    #expect(said.restarted == ["fetcher"])
    #expect(said.level(of: "decoder ended to read its files") == .info)
  }

  @Test func `what cannot be run at all ends everything with its exit code`() async throws {
    let failed = Lock<[Int32]>([])
    let supervisor = Supervisor(
      [plan("good", "read line"), plan("bad", "exit 64")], clock: SystemClock(),
      failed: { status in failed.withLock { $0.append(status) } }, report: { [said] in said.add($1, at: $0) })
    #expect(await supervisor.run() == 64)
    #expect(failed.withLock { $0 } == [64])
    #expect(said.all.contains("bad ended with exit code 64, and would again"))
    #expect(said.level(of: "bad ended") == .error)
  }

  @Test func `more are started and too many are ended while the others run on`() async throws {
    let plan: @Sendable (Int) -> ChildPlan = { number in
      ChildPlan(
        name: "worker \(number)", program: "/bin/sh", arguments: ["-c", "exec sleep 60"], stage: 0)
    }
    let supervisor = supervisor(plan(1))
    async let end = supervisor.run()
    try await said.lines(with: "worker 1 runs")
    #expect(await supervisor.scale("worker", to: 3, plan))
    try await said.lines(with: "worker 2 runs")
    try await said.lines(with: "worker 3 runs")
    #expect(await supervisor.count(of: "worker") == 3)
    #expect(await supervisor.scale("worker", to: 1, plan))
    try await said.lines(with: "worker 3 stopped")
    try await said.lines(with: "worker 2 stopped")
    #expect(await supervisor.count(of: "worker") == 1)
    await supervisor.stop()
    #expect(await end == nil)
    #expect(await supervisor.scale("worker", to: 3, plan) == false)
    #expect(said.all.count { $0.hasPrefix("worker 1 ") } == 2)
  }

  @Test func `one that was drained is not started again, and a new one takes its number`() async throws {
    let supervisor = supervisor(plan("worker 1", "exit 79"), plan("worker 2", "exec sleep 60"))
    async let end = supervisor.run()
    try await said.lines(with: "worker 1 was drained, and does not start again")
    try await said.lines(with: "worker 2 runs")
    while await supervisor.count(of: "worker") != 1 { await Task.yield() }
    #expect(
      await supervisor.scale("worker", to: 2) { number in
        ChildPlan(name: "worker \(number)", program: "/bin/sh", arguments: ["-c", "exec sleep 60"], stage: 0)
      })
    try await said.lines(with: "worker 1 runs")
    await supervisor.stop()
    #expect(await end == nil)
  }

  @Test func `a later stage is stopped when the earlier one has ended`() async throws {
    let wait = "exec sleep 60"
    let supervisor = supervisor(plan("late", wait, stage: 1), plan("early", wait))
    async let end = supervisor.run()
    try await said.lines(with: "late runs")
    try await said.lines(with: "early runs")
    await supervisor.stop()
    #expect(await end == nil)
    #expect(said.all.filter { $0.hasSuffix("stopped") } == ["early stopped", "late stopped"])
  }

  @Test func `who takes its time is named, and a kill ends the wait`() async throws {
    let ready = directory.file("ready")
    #expect(unsafe mkfifo(ready, 0o600) == 0)
    let supervisor = supervisor(
      plan("slow", "trap '' TERM; : > '\(ready)'; read line"), plan("quick", "exec sleep 60"))
    async let end = supervisor.run()
    try await soon("slow to be deaf to TERM") { try await Self.opened(ready) }
    try await said.lines(with: "quick runs")
    async let stop: Void = supervisor.stop()
    try await said.lines(with: "waiting for slow to finish what is under way, at most 2")
    await supervisor.kill()
    await stop
    #expect(await end == nil)
  }

  /// Returns when somebody writes to the pipe.
  private static func opened(_ path: String) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      do {
        _ = try Thread.start(name: "fifo") {
          continuation.resume(with: Result { _ = try Descriptor.reading(path: path) })
        }
      } catch { continuation.resume(throwing: error) }
    }
  }

  @Test func `who does not listen is killed`() async throws {
    let supervisor = supervisor(plan("deaf", "trap '' TERM; read line"))
    async let end = supervisor.run()
    try await said.lines(with: "deaf runs")
    await supervisor.kill()
    #expect(await end == nil)
  }
}

/// What a supervisor reports, and a wait for it.
private final class Said: Sendable {
  private struct State {
    var lines: [String] = []
    var levels: [LogLevel] = []
    var restarted: Set<String> = []
    var waiters: [(words: String, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Lock(State())

  var all: [String] { state.withLock { $0.lines } }

  var restarted: Set<String> { state.withLock { $0.restarted } }

  func count(_ name: String) { _ = state.withLock { $0.restarted.insert(name) } }

  /// Of the first line that begins like this.
  func level(of line: String) -> LogLevel? {
    state.withLock { state in
      state.lines.firstIndex { $0.hasPrefix(line) }.map { state.levels[$0] }
    }
  }

  func add(_ line: String, at level: LogLevel) {
    let woken = state.withLock { state in
      state.lines.append(line)
      state.levels.append(level)
      let woken = state.waiters.filter { line.contains($0.words) }
      state.waiters.removeAll { line.contains($0.words) }
      return woken.map(\.continuation)
    }
    for continuation in woken { continuation.resume() }
  }

  /// Returns when there is such a line.
  func lines(with words: String) async throws {
    try await soon("a line with '\(words)'") { [self] in await line(with: words) }
  }

  private func line(with words: String) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.lines.contains(where: { $0.contains(words) }) { return true }
        state.waiters.append((words, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }
}
