import Assembly
import JSONQuery
import Pipeline
import Posix
import Roles

/// The command `down`: ends the fleet of a run directory in order.
struct DownCommand {
  private static let longestKillMilliseconds: Int64 = 10_000
  private static let lookMilliseconds: Int32 = 1_000

  let arguments: ParsedArguments

  private var directory: String { arguments.runDirectory }

  func run() async throws -> ExitCode {
    guard isDirectory(directory) else { throw nothingRuns }
    let home = try RunDirectory(checking: directory)
    let log = try FleetLog(in: home)
    var fleet = try runningFleet()
    if let fleet {
      try RunningFleet.refuseStopped(fleet.id, in: directory)
      if !arguments[FleetOption.force] { try await checkLedger() }
    }
    // Before the fleet ends: after that, workers may be those of a new one.
    let workers = try RunningFleet.workers(in: directory).compactMap { try OtherProcess($0) }
    let locked = try RunningFleet.workers(in: directory)
    let own = workers.filter { locked.contains($0.id) }
    var former = Set(own.map(\.id).filter { fleet != nil && parentProcess(of: $0) != fleet?.id })
    if try fleet?.hasEnded(within: 0) == true {
      // Killed meanwhile, it left its workers; what was their parent can no longer be told.
      (fleet, former) = (nil, [])
    }
    guard fleet != nil || !own.isEmpty else { throw nothingRuns }
    for worker in own where RunningFleet.isStopped(worker.id) {
      Message.show(
        "halyard: its process \(worker.id) is stopped, and is killed if it stays so; 'kill -CONT \(worker.id)' lets it finish\n"
      )
    }
    var (inOrder, told) = (true, 0)
    if let fleet {
      // Another 'down' may wait for it already.
      fleet.send(SignalWatch.endInOrder)
      inOrder = try await haveEndedInOrder([fleet], log, &told)
    }
    // A new fleet would meet the locks and sockets of these workers, if it is not there already.
    let left = try own.filter { try !$0.hasEnded(within: 0) }
    if !left.isEmpty, try RunningFleet.process(in: directory) == nil {
      Message.show(Self.waiting(for: left.map(\.id), former: former))
      inOrder = try await haveEndedInOrder(left, log, &told) && inOrder
    }
    RunDirectory.sweep(directory)
    guard inOrder else { return .bug }
    Message.show("halyard: the fleet has ended\n")
    return .ok
  }

  /// nil when none runs, and when it ended while its id was read: that may be another process's by now.
  private func runningFleet() throws -> OtherProcess? {
    guard let process = try RunningFleet.process(in: directory), let fleet = try OtherProcess(process),
      try RunningFleet.process(in: directory) == process
    else { return nil }
    return fleet
  }

  /// - Parameter former: Workers that another 'up' started, which was killed.
  static func waiting(for workers: [Int32], former: Set<Int32>) -> String {
    let names = workers.map { "\($0)" }.joined(separator: ", ")
    guard former.isSuperset(of: workers) else {
      return "halyard: the fleet was killed; waiting for its workers: \(names)\n"
    }
    return "halyard: the fleet has ended; waiting for workers of one before it, which was killed: \(names)\n"
  }

  /// With its file gone, the data of a ledger ends with the fleet. One that does not answer cannot say.
  private func checkLedger() async throws {
    let plan = try? FleetLinkPlan(
      askingIn: directory, wait: "2s", [FleetOption.insecure.flag], environment: arguments.environment)
    guard let status = try? await plan?.withLink({ try await $0.client.ask(StatusQuestion()).bytes }),
      let missing = try JSONDocument(parsing: status).root["ledger"]?["missing"]?.string
    else { return }
    throw FleetRefusal(words: missing, next: Self.saving(in: directory))
  }

  /// How the data is saved. What ended after the copy would be lost, so everything is paused first.
  static func saving(in directory: String) -> String {
    let place = ShellWord.quoted(directory)
    return [
      "halyard pause --all --fleet \(place)",
      "halyard ledger backup FILE --fleet \(place)   (when 'halyard status' shows no leased job)",
      "halyard down --force --run-dir \(place)   (then put FILE in the ledger's place, start it, and resume --all)",
    ].joined(separator: "\n       ")
  }

  /// Kills those that do not end in time, which is the same time for all of them.
  private func haveEndedInOrder(
    _ processes: [OtherProcess], _ log: FleetLog, _ told: inout Int
  ) async throws -> Bool {
    let late = try await left(of: processes, after: BackgroundFleet.longestEndMilliseconds, log, &told)
    for process in late {
      Message.show("halyard: process \(process.id) did not end in time and is killed\n")
      process.send(SignalWatch.kill)
    }
    if let process = try await left(of: late, after: Self.longestKillMilliseconds, log, &told).first {
      throw FleetRefusal(words: "process \(process.id) cannot be killed", next: "ps -p \(process.id)")
    }
    return late.isEmpty
  }

  /// Those that have not ended by then. Meanwhile repeats what the fleet says that it waits for, each line once.
  private func left(
    of processes: [OtherProcess], after milliseconds: Int64, _ log: FleetLog, _ told: inout Int
  ) async throws -> [OtherProcess] {
    let worker = try BlockingWorker(name: "down")
    let end = SystemTime.monotonicMicroseconds + milliseconds * 1_000
    var left = processes
    while let first = left.first, SystemTime.monotonicMicroseconds < end {
      _ = try await worker.run { try first.hasEnded(within: Self.lookMilliseconds) }
      left = try left.filter { try !$0.hasEnded(within: 0) }
      let waits = log.news().filter { $0.contains("waiting for ") }
      if !left.isEmpty {
        for line in waits.dropFirst(told) { Message.show("\(line)\n") }
        told = waits.count
      }
    }
    return left
  }

  private var nothingRuns: FleetRefusal {
    FleetRefusal(
      words: "no fleet runs in \(directory)",
      next: "halyard up --detach --run-dir \(ShellWord.quoted(directory))")
  }
}
