import FoundationEssentials

/// Frames as files of hex, sixteen bytes a line.
enum GoldenFiles {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Golden")

  /// Every committed frame, `v1.0/hello.hex` for example.
  static func names() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path()).filter { $0.hasSuffix(".hex") }
      .sorted()
  }

  static func read(_ name: String) throws -> [UInt8] {
    let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    return try text.split { $0 == " " || $0 == "\n" }.map { digits in
      guard digits.utf8.count == 2, let byte = UInt8(digits, radix: 16) else {
        throw NotHex(text: String(digits))
      }
      return byte
    }
  }

  static func write(_ frame: [UInt8], to name: String) throws {
    var text = ""
    for (index, byte) in frame.enumerated() {
      text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
      text += index % 16 == 15 || index == frame.count - 1 ? "\n" : " "
    }
    let file = folder.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: file, atomically: true, encoding: .utf8)
  }

  struct NotHex: Error {
    var text: String
  }
}
