import Assembly
import Posix

/// The process that runs the fleet of a run directory: it holds the lock, which the kernel frees with the process.
enum RunningFleet {
  /// nil when no fleet runs there.
  static func process(in directory: String) throws -> Int32? {
    do throws(FileClaim.Refusal) {
      return try FileClaim.holder(path: "\(directory)/\(RunDirectory.lock)")
    } catch {
      throw refusal(error, directory)
    }
  }

  /// The workers that it started and that have not ended. They outlive it when it is killed, and finish their jobs.
  static func workers(in directory: String) throws -> [Int32] {
    try fileNames(in: directory).compactMap(RunDirectory.worker(lockedBy:)).sorted().filter { process in
      do throws(FileClaim.Refusal) {
        return try FileClaim.holder(path: "\(directory)/\(RunDirectory.workerLock(of: process))") != nil
      } catch {
        if case .held = error { return true }
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
        words: "\(directory)/\(RunDirectory.lock): \(error.message)", next: "halyard up --run-dir DIR")
    }
  }
}

struct FleetRefusal: Error {
  var words: String
  var next: String

  var rendered: String { "halyard: \(Printable.text(words))\ntry:   \(next)\n" }
}
