import Assembly
import Foundation
import Pipeline
import PipelineTesting
import Posix
import Roles
import Testing
import TransportInProcess

@testable import HalyardCLI

/// What becomes of a fleet whose key is removed, or replaced, while it runs.
@Suite(.timeLimit(.minutes(5)))
struct RunKeyWatchTests {
  private final class Said: Log {
    let events = Lock<[String]>([])
    func record(_ level: LogLevel, _ message: StaticString, _ metadata: [LogField]) {
      events.withLock { $0.append("\(message)") }
    }
  }

  private let directory: TemporaryDirectory
  private let place: FleetPlace
  private let file: RunKeyFile
  private let clock = ManualClock()
  private let log = Said()
  private let key = RunKey(high: 1, low: 2)
  private let other = RunKey(high: 3, low: 4)

  init() throws {
    directory = try TemporaryDirectory()
    place = FleetPlace(runDirectory: directory.file("run"))
    _ = try RunDirectory(making: directory.file("run"))
    file = try #require(RunKeyFile(of: place))
  }

  /// Has a watch at work until something comes true.
  private func watch(counts: Bool, until happened: @escaping @Sendable () -> Bool) async throws {
    let ports = RolePorts(InProcessTransport(clock: clock), clock: clock, log: log)
    let watch = RunKeyWatch(of: place, key, counts: counts, ports)
    try await RunKeyWatch.around(watch) { [clock] in
      while !happened() {
        try Task.checkCancellation()
        if clock.sleepers > 0 { clock.advance(byMilliseconds: RunKeyWatch.lookMilliseconds) }
        await Task.yield()
      }
    }
  }

  @Test(arguments: [true, false])
  func `a key that was removed is there again`(_ counts: Bool) async throws {
    #expect(try file.kept(key) == key)
    #expect(removeFile(path: file.path))
    try await watch(counts: counts) { [file, key] in (try? file.read()) == key }
    #expect(log.events.value == ["the fleet's key was removed"])
    #expect(try FileFacts(at: file.path)?.mode == 0o600)
    #expect(fileNames(in: directory.file("run")) == [RunKeyFile.name])
  }

  @Test func `the aggregator's key counts`() async throws {
    #expect(try file.kept(other) == other)
    try await watch(counts: true) { [file, key] in (try? file.read()) == key }
    #expect(log.events.value == ["the fleet's key was replaced"])
  }

  @Test func `what is no key gives way to the aggregator's`() async throws {
    try Descriptor.creatingSecret(path: file.path).writeAll([1, 2, 3])
    try await watch(counts: true) { [file, key] in (try? file.read()) == key }
  }

  @Test func `who came with a key that counts no longer ends`() async throws {
    #expect(try file.kept(other) == other)
    await #expect(throws: OtherRunKey.self) { try await watch(counts: false) { false } }
  }

  @Test func `a key that others can read is told once, and left as it is`() async throws {
    #expect(try file.kept(key) == key)
    #expect(unsafe chmod(file.path, 0o644) == 0)
    let start = clock.now
    try await watch(counts: true) { [clock] in clock.now.milliseconds(since: start) > 60_000 }
    #expect(log.events.value == ["the fleet's key cannot be kept"])
  }

  @Test func `when the work is cancelled, what it came to counts`() async throws {
    struct Damaged: Error {}
    #expect(try file.kept(key) == key)
    let ports = RolePorts(InProcessTransport(clock: clock), clock: clock, log: log)
    let watch = RunKeyWatch(of: place, key, ports)
    let work = Task {
      try await RunKeyWatch.around(watch) {
        while !Task.isCancelled { await Task.yield() }
        throw Damaged()
      }
    }
    work.cancel()
    await #expect(throws: Damaged.self) { try await work.value }
  }
}
