import Pipeline
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

  /// Notes where a fleet is reached that has this directory and does not listen there.
  static func keep(_ place: FleetPlace, in directory: String) throws(PosixError) {
    forgetPlace(in: directory)
    guard place != FleetPlace(runDirectory: directory) else { return }
    try Descriptor.writing(path: note(directory)).writeAll(Array("\(place.address)\n".utf8))
  }

  static func forgetPlace(in directory: String) {
    _ = removeFile(path: note(directory))
  }

  /// Where the fleet of a directory is reached, when that is elsewhere.
  static func place(in directory: String) -> FleetPlace? {
    guard let text = try? Descriptor.reading(path: note(directory)).readChunk(limit: 512) else { return nil }
    let address = String(decoding: text.prefix { $0 != 0x0A }, as: UTF8.self)
    return address.contains("://") ? FleetPlace(address) : nil
  }

  private static func note(_ directory: String) -> String { "\(directory)/address" }

  private static let owners = ["asker", "fetcher", "decoder"]
}
