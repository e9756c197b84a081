import FoundationEssentials

/// A directory for one test, deleted with all that is in it.
package final class TemporaryDirectory: Sendable {
  package let path: String

  package init() throws {
    path = FileManager.default.temporaryDirectory.path + "/halyard-test-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of a file in it.
  package func file(_ name: String) -> String { "\(path)/\(name)" }
}
