import Assembly
import Posix

/// The process that runs the fleet of a run directory: it holds the lock, which the kernel frees with the process.
enum RunningFleet {
  /// nil when no fleet runs there.
  static func process(in directory: String) throws -> Int32? {
    do throws(FileClaim.Refusal) {
      if let own = try FileClaim.holder(path: "\(directory)/\(RunDirectory.ownLock)") { return own }
    } catch {
      throw refusal(error, directory)
    }
    if runsElsewhere(directory) { throw elsewhere(directory) }
    return nil
  }

  static func isStopped(_ process: Int32) -> Bool { processState(process) == "stopped" }

  /// A stopped one hears nothing.
  static func refuseStopped(_ process: Int32, in directory: String) throws(FleetRefusal) {
    guard isStopped(process) else { return }
    throw FleetRefusal(
      words: "the fleet in \(directory): its process \(process) is stopped", next: "kill -CONT \(process)")
  }

  /// On another machine that shares the directory.
  static func runsElsewhere(_ directory: String) -> Bool {
    func isHeld(_ lock: String) -> Bool { (try? RunDirectory.isHeld(lock, in: directory)) == true }
    // In this order: this machine's own lock is taken first and let go last.
    return isHeld(RunDirectory.lock) && !isHeld(RunDirectory.ownLock)
  }

  /// What 'up' holds as long as it runs.
  static func claimed(_ directory: String) throws -> [FileClaim] {
    func claim(_ name: String) -> Result<FileClaim, FileClaim.Refusal> {
      Result { () throws(FileClaim.Refusal) in try FileClaim(path: "\(directory)/\(name)") }
    }
    let own = try claim(RunDirectory.ownLock).mapError { refusal($0, directory) }.get()
    let shared = try claim(RunDirectory.lock).mapError {
      if case .held = $0 { elsewhere(directory) } else { refusal($0, directory) }
    }.get()
    return [shared, own]
  }

  private static func elsewhere(_ directory: String) -> FleetRefusal {
    FleetRefusal(
      words: "the fleet in \(directory) runs on another machine, which shares the directory",
      next: "halyard status   (there)")
  }

  /// The workers that it started and that have not ended. They outlive it when it is killed, and finish their jobs.
  static func workers(in directory: String) throws -> [Int32] {
    try fileNames(in: directory).compactMap(RunDirectory.worker(lockedBy:)).sorted().filter { process in
      do throws(FileClaim.Refusal) {
        return try RunDirectory.isHeld(RunDirectory.workerLock(of: process), in: directory)
      } catch {
        throw refusal(error, directory)
      }
    }
  }

  /// Why the lock cannot be had.
  static func refusal(_ refusal: FileClaim.Refusal, _ directory: String) -> any Error {
    switch refusal {
    case .held(let process):
      let who = process.map { "process \($0)" } ?? "another process"
      return FleetRefusal(
        words: "a fleet runs in \(directory) already, as \(who)", next: "halyard status --fleet \(directory)")
    case .distrusted(let error): return error
    case .failed(let error):
      return FleetRefusal(
        words: "\(directory)/\(RunDirectory.lock): \(error.message)",
        next: error.isNoRoom
          ? "df \(ShellWord.quoted(directory))   (make room there; df -i for files)"
          : "halyard up --run-dir DIR")
    }
  }
}

struct FleetRefusal: Error {
  var words: String
  var next: String

  var rendered: String { "halyard: \(Printable.text(words))\ntry:   \(next)\n" }
}
