import Foundation

/// The pages of help, a text file each. With HALYARD_WRITE_GOLDEN=1 in the environment they are written anew.
enum HelpGolden {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Golden")

  /// - Parameter name: Of a command, or `main` or `short` for the pages of halyard alone.
  static func page(_ name: String, shown: String) throws -> String {
    let file = folder.appending(path: "\(name).txt")
    if ProcessInfo.processInfo.environment["HALYARD_WRITE_GOLDEN"] == "1" {
      try shown.write(to: file, atomically: true, encoding: .utf8)
    }
    return try String(contentsOf: file, encoding: .utf8)
  }
}
