import Assembly
import Posix

/// The command `down`: ends the fleet of a run directory in order.
struct DownCommand {
  private static let longestKillMilliseconds: Int64 = 10_000
  private static let lookMilliseconds: Int32 = 1_000

  private let directory: String

  init(_ directory: String) {
    self.directory = directory
  }

  func run() async throws -> ExitCode {
    guard isDirectory(directory) else { throw nothingRuns }
    let home = try RunDirectory(checking: directory)
    let log = try FleetLog(in: home)
    let process = try RunningFleet.process(in: directory)
    var inOrder = true
    if let process {
      // While its id was read, it may have ended.
      guard let fleet = try OtherProcess(process), try RunningFleet.process(in: directory) == process else {
        throw nothingRuns
      }
      // Another 'down' may wait for it already.
      fleet.send(SignalWatch.endInOrder)
      inOrder = try await hasEndedInOrder(fleet, log)
    }
    let workers = try RunningFleet.workers(in: directory)
    guard process != nil || !workers.isEmpty else { throw nothingRuns }
    inOrder = try await haveEndedInOrder(workers, log) && inOrder
    RunDirectory.sweep(directory)
    guard inOrder else { return .bug }
    Message.show("halyard: the fleet has ended\n")
    return .ok
  }

  /// Waits for the workers of a fleet that was killed: a new one would meet their locks and sockets.
  private func haveEndedInOrder(_ workers: [Int32], _ log: FleetLog) async throws -> Bool {
    if !workers.isEmpty {
      let names = workers.map(String.init).joined(separator: ", ")
      Message.show("halyard: the fleet was killed; waiting for its workers: \(names)\n")
    }
    var inOrder = true
    for worker in workers {
      guard let process = try OtherProcess(worker), try RunningFleet.workers(in: directory).contains(worker)
      else { continue }
      inOrder = try await hasEndedInOrder(process, log) && inOrder
    }
    return inOrder
  }

  /// Kills a process that does not end in time.
  private func hasEndedInOrder(_ process: OtherProcess, _ log: FleetLog) async throws -> Bool {
    if try await hasEnded(process, BackgroundFleet.longestEndMilliseconds, telling: log) { return true }
    Message.show("halyard: process \(process.id) did not end in time and is killed\n")
    process.send(SignalWatch.kill)
    guard try await hasEnded(process, Self.longestKillMilliseconds, telling: log) else {
      throw FleetRefusal(words: "process \(process.id) cannot be killed", next: "ps -p \(process.id)")
    }
    return false
  }

  /// Repeats what the fleet says that it waits for.
  private func hasEnded(_ process: OtherProcess, _ milliseconds: Int64, telling log: FleetLog) async throws
    -> Bool
  {
    let worker = try BlockingWorker(name: "down")
    var told = 0
    for _ in 0..<(milliseconds / Int64(Self.lookMilliseconds)) {
      if try await worker.run({ try process.hasEnded(within: Self.lookMilliseconds) }) { return true }
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
