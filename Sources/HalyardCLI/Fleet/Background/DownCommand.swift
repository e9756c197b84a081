import Assembly
import Posix

/// The command `down`: ends the fleet of a run directory in order.
struct DownCommand {
  private static let longestKillMilliseconds: Int64 = 10_000
  /// Between two looks into its log.
  private static let lookMilliseconds: Int32 = 1_000

  private let directory: String

  init(_ directory: String) {
    self.directory = directory
  }

  func run() async throws -> ExitCode {
    guard isDirectory(directory) else { throw nothingRuns }
    let home = try RunDirectory(checking: directory)
    guard let process = try RunningFleet.process(in: directory) else { throw nothingRuns }
    // While its id was read, it may have ended.
    guard let fleet = try OtherProcess(process), try RunningFleet.process(in: directory) == process else {
      throw nothingRuns
    }
    let log = try FleetLog(in: home)
    // Another 'down' may wait for it already.
    fleet.send(SignalWatch.endInOrder)
    if try await !hasEnded(fleet, BackgroundFleet.longestEndMilliseconds, telling: log) {
      Message.show("halyard: process \(process) did not end in time and is killed\n")
      fleet.send(SignalWatch.kill)
      guard try await hasEnded(fleet, Self.longestKillMilliseconds, telling: log) else {
        throw FleetRefusal(words: "process \(process) cannot be killed", next: "ps -p \(process)")
      }
      return .bug
    }
    Message.show("halyard: the fleet has ended\n")
    return .ok
  }

  /// Repeats what the fleet says that it waits for.
  private func hasEnded(_ fleet: OtherProcess, _ milliseconds: Int64, telling log: FleetLog) async throws
    -> Bool
  {
    let worker = try BlockingWorker(name: "down")
    var told = 0
    for _ in 0..<(milliseconds / Int64(Self.lookMilliseconds)) {
      if try await worker.run({ try fleet.hasEnded(within: Self.lookMilliseconds) }) { return true }
      let waits = log.news().filter { $0.contains("waiting for ") }
      for line in waits.dropFirst(told) { Message.show("\(line)\n") }
      told = waits.count
    }
    return false
  }

  private var nothingRuns: FleetRefusal {
    FleetRefusal(
      words: "no fleet runs in \(directory)",
      next: "halyard up --detach --run-dir \(ShellWord.quoted(directory))")
  }
}
