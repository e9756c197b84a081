package import Pipeline
package import Posix

/// The file of a `RunKey`. A decoder in its sandbox opens no files, so it cannot read this one.
package struct RunKeyFile {
  package static let name = "run-key"

  private let path: String

  /// nil for a fleet that is reached over TCP, where keys tell who may do what.
  package init?(of place: FleetPlace) {
    guard let directory = place.directory else { return nil }
    path = "\(directory)/\(Self.name)"
  }

  /// For the processes of the fleet itself, which may all start at the same time: the first one's key is everybody's.
  package func made(_ random: Randomness) throws -> RunKey {
    if let key = try read() { return key }
    let part = "\(path)-\(processID)-\(random.bits())"
    defer { _ = removeFile(path: part) }
    let file = try Descriptor.creatingSecret(path: part)
    try file.writeAll((0..<Self.bytes).map { _ in UInt8(truncatingIfNeeded: random.bits()) })
    // A machine that loses its power leaves no empty one.
    try file.synchronize()
    try linkFile(path: part, to: path)
    guard let key = try read() else { throw DistrustedPath(path, .wrongKind) }
    return key
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
    guard let bytes = try? file.readChunk(limit: Self.bytes), bytes.count == Self.bytes else { return nil }
    let words = [bytes[..<8], bytes[8...]].map { $0.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
    return RunKey(high: words[0], low: words[1])
  }

  private static let bytes = 16
}

extension FleetPlace {
  /// The secret of a process that asks this fleet, or fetches for it. Without the fleet's key it shows nothing.
  package func secret(_ random: Randomness) throws(DistrustedPath) -> LaneSecret {
    try RunKeyFile(of: self)?.read()?.secret(random) ?? LaneSecret(random)
  }
}
