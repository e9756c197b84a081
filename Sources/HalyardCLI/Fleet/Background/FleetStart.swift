import Assembly
import Posix

/// How a fleet in the background was started, kept in its run directory for 'restart'.
struct FleetStart: Hashable, Sendable {
  private static let note = "fleet.options"

  /// Where its relative paths begin.
  var workingDirectory: String
  /// The words behind `up`.
  var words: [String]

  init(words: [String]) {
    (workingDirectory, self.words) = (absolutePath("."), words)
  }

  /// nil when no fleet was started in the background there.
  init?(keptIn home: RunDirectory) throws {
    guard let file = try home.safe.reading(Self.note) else { return nil }
    var bytes: [UInt8] = []
    while case let chunk = try file.readChunk(), !chunk.isEmpty { bytes += chunk }
    let parts = bytes.split(separator: 0, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    guard parts.count > 1, let first = parts.first else { return nil }
    // Each word ends with a zero.
    (workingDirectory, words) = (first, Array(parts.dropFirst().dropLast()))
  }

  func keep(in home: RunDirectory) throws {
    let text = ([workingDirectory] + words).map { "\($0)\0" }.joined()
    try home.safe.replacing(Self.note).writeAll(Array(text.utf8))
  }

  /// The words of the process itself, which stays in the foreground of its own session, in this run directory.
  func words(in directory: String) -> [String] {
    let own = words.prefix { $0 != "--" }
    let detach = FleetOption.detach.spec
    return ["up"] + own.filter { $0 != detach.flag } + [
      detach.negation ?? "", FleetOption.runDirectory.spec.flag, directory,
    ]
      + words.dropFirst(own.count)
  }
}
