import Foundation

/// A folder for one test's files; removed with this.
final class Folder {
  private let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("halyard-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The path of a file, which is created when there is content for it.
  func path(_ name: String, holding content: String? = nil) throws -> String {
    let file = url.appendingPathComponent(name)
    if let content { try Data(content.utf8).write(to: file) }
    return file.path
  }

  /// What is in it, in order.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
  }

  func content(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: url.appendingPathComponent(name)), as: UTF8.self)
  }
}
