import Posix

/// The directory where a fleet's sockets are.
enum RunDirectory {
  /// Deletes the sockets of processes that were killed, and so could not do it themselves: `fetcher-17-c0de` and its
  /// lock, when there is no process 17.
  static func sweep(_ directory: String) {
    for name in fileNames(in: directory) where isLeftOver(name, processExists) {
      _ = removeFile(path: "\(directory)/\(name)")
    }
  }

  static func isLeftOver(_ name: String, _ exists: (Int32) -> Bool) -> Bool {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, owners.contains(String(parts[0])), let process = Int32(parts[1]), process > 0
    else { return false }
    return !exists(process)
  }

  private static let owners = ["asker", "fetcher", "decoder"]
}
