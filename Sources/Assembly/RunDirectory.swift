package import Pipeline
package import Posix

/// The directory of a fleet's sockets and notes. Only this user and root may change it.
package struct RunDirectory {
  package let safe: SafeDirectory

  /// Makes it if need be, for this user alone.
  package init(making path: String) throws(DistrustedPath) {
    safe = try SafeDirectory(path, making: .all)
    try safe.checkContents()
  }

  /// One that is there.
  package init(checking path: String) throws(DistrustedPath) {
    safe = try SafeDirectory(path, making: .nothing)
  }

  /// Deletes the sockets of processes that were killed, and so could not do it themselves: `fetcher-17-5ca1ab-1e0d-c0de`
  /// and its lock, when this machine has no process 17. Other machines may share the directory.
  package static func sweep(_ directory: String) {
    for name in fileNames(in: directory) where isLeftOver(name, exists: processExists) {
      _ = removeFile(path: "\(directory)/\(name)")
    }
  }

  package static func isLeftOver(
    _ name: String, at mark: MachineMark = .own, exists: (Int32) -> Bool
  ) -> Bool {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 5, owners.contains(parts[0]), let process = Int32(parts[1]), process > 0,
      parts[2] == mark.machine
    else { return false }
    return parts[3] != mark.boot || !exists(process)
  }

  /// Notes where a fleet is reached that has this directory and does not listen there.
  ///
  /// - Parameter directory: The directory as its user names it.
  /// - Returns: False when the disk has no room for the note: commands then have to name the address.
  @discardableResult
  package func keep(_ place: FleetPlace, of directory: String) throws -> Bool {
    guard place != FleetPlace(runDirectory: directory) else {
      forgetPlace()
      return true
    }
    return try safe.keep(Array("\(place.address)\n".utf8), as: Self.note)
  }

  package func forgetPlace() {
    _ = removeFile(path: "\(safe.path)/\(Self.note)")
  }

  /// Where the fleet of this directory is reached, when that is elsewhere. Of a fleet that was killed the note is not
  /// believed: by now somebody else may listen there.
  package func place() throws(DistrustedPath) -> FleetPlace? {
    guard let file = try safe.reading(Self.note), let text = try? file.readChunk(limit: 512) else {
      return nil
    }
    guard (try? Self.isHeld(Self.lock, in: safe.path)) == true else { return nil }
    let address = String(decoding: text.prefix { $0 != 0x0A }, as: UTF8.self)
    return address.contains("://") ? FleetPlace(address) : nil
  }

  /// Whether a process has this lock file.
  package static func isHeld(_ lock: String, in directory: String) throws(FileClaim.Refusal) -> Bool {
    do throws(FileClaim.Refusal) {
      return try FileClaim.holder(path: "\(directory)/\(lock)") != nil
    } catch .held {
      return true
    }
  }

  package static let note = "address"
  /// Held by the process that runs the fleet; the kernel frees it with the process.
  package static let lock = "up.lock"

  /// Held by that process too, and tells which it is: the id of a process means nothing on another machine.
  package static let ownLock = "up-\(MachineMark.own.machine).lock"

  /// Held by a worker that `up` started, until it ends.
  package static func workerLock(of process: Int32) -> String { "worker-\(process)-\(MachineMark.own)-lock" }

  /// The process whose lock as a worker has this name; nil for any other file.
  package static func worker(lockedBy name: String) -> Int32? {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 5, let process = Int32(parts[1]), name == workerLock(of: process) else { return nil }
    return process
  }

  private static let owners = ["client", "fetcher", "decoder", "worker"]
}

/// The file of a `RunKey`. A decoder in its sandbox opens no files, so it cannot read this one.
package struct RunKeyFile {
  package static let name = "run-key"

  package let path: String

  /// nil for a fleet that is reached over TCP, where keys tell who may do what.
  package init?(of place: FleetPlace) {
    guard let directory = place.directory else { return nil }
    path = "\(directory)/\(Self.name)"
  }

  /// For the processes of the fleet itself, which may all start at the same time: the first one's key is everybody's.
  package func made(_ random: Randomness) throws -> RunKey {
    try read() ?? kept(RunKey(random))
  }

  /// The key that the file holds: this one, unless there is another.
  package func kept(_ key: RunKey) throws -> RunKey {
    let part = "\(path)-\(processID)-\(UInt64.random(in: 0 ... .max))"
    defer { _ = removeFile(path: part) }
    let file = try Descriptor.creatingSecret(path: part)
    try file.writeAll(key.bytes)
    // A machine that loses its power leaves no empty one.
    try file.synchronize()
    try linkFile(path: part, to: path)
    guard let kept = try read() else { throw DistrustedPath(path, .wrongKind) }
    return kept
  }

  /// nil while the fleet has not made it, and for users who may not read it. One that others can read is refused: who has
  /// it may do all.
  package func read() throws(DistrustedPath) -> RunKey? {
    let file: Descriptor
    do throws(DistrustedPath) {
      file = try SafeFile.readingSecret(path: path)
    } catch {
      switch error.reason {
      case .missing, .failed: return nil
      default: throw error
      }
    }
    return (try? file.readChunk(limit: 16)).flatMap { RunKey(bytes: $0) }
  }
}

/// Where a user's own files are, by the XDG Base Directory Specification.
package enum UserDirectory: String, Sendable {
  case configuration = "XDG_CONFIG_HOME"
  case cache = "XDG_CACHE_HOME"
  /// What outlives a logout and a restart of the machine.
  case state = "XDG_STATE_HOME"

  /// Halyard's part of it; nil for a user without a home.
  package func path(_ environment: [String: String]) -> String? {
    // The specification ignores relative ones.
    func absolute(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
    return (absolute(rawValue) ?? absolute("HOME").map { "\($0)/\(inHome)" }).map { "\($0)/halyard" }
  }

  private var inHome: String {
    switch self {
    case .configuration: ".config"
    case .cache: ".cache"
    case .state: ".local/state"
    }
  }
}
