import Posix

extension Program {
  /// The words that this process was started with, its own name first.
  ///
  /// The standard library looks for them next to the environment, and finds none where a preloaded library has moved that.
  public static let commandLine: [String] = {
    let words = CommandLine.arguments
    guard words.isEmpty, let file = try? Descriptor.reading(path: "/proc/self/cmdline") else { return words }
    var bytes: [UInt8] = []
    while let chunk = try? file.readChunk(), !chunk.isEmpty { bytes += chunk }
    return bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast()
      .map { String(decoding: $0, as: UTF8.self) }
  }()
}
