import Assembly
import Posix

/// How a fleet in the background was started, kept in its run directory for 'restart'.
struct FleetStart: Hashable, Sendable {
  private static let note = "fleet.options"

  /// Where its relative paths begin.
  var workingDirectory: String
  var words: [String]
  /// The variables that stand for options, each as `NAME=value`.
  var variables: [String]

  init(words: [String], environment: [String: String]) {
    workingDirectory = absolutePath(".")
    self.words = words
    variables = environment.filter { $0.key.hasPrefix(OptionSpec.variablePrefix) }.map {
      "\($0.key)=\($0.value)"
    }
    .sorted()
  }

  /// nil when no fleet was started in the background there.
  init?(keptIn home: RunDirectory) throws {
    guard let file = try home.safe.reading(Self.note) else { return nil }
    var bytes: [UInt8] = []
    while case let chunk = try file.readChunk(), !chunk.isEmpty { bytes += chunk }
    let parts = bytes.split(separator: 0, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    // The first says how many words follow, so that one that was cut is none.
    guard parts.count > 2, let count = Int(parts[0]), (0...parts.count).contains(count),
      parts.count >= count + 4, parts[parts.count - 2] == Self.end, parts.last == ""
    else { return nil }
    workingDirectory = parts[1]
    words = Array(parts[2..<(2 + count)])
    variables = Array(parts[(2 + count)..<(parts.count - 2)])
  }

  private static let end = "end"

  func keep(in home: RunDirectory) throws {
    let parts = ["\(words.count)", workingDirectory] + words + variables + [Self.end]
    try home.safe.replacing(Self.note).writeAll(Array(parts.map { "\($0)\0" }.joined().utf8))
  }

  /// A fleet that starts in the foreground is not to be started again as another one was.
  static func forget(in home: RunDirectory) {
    for name in [note, FleetEnd.note] { _ = removeFile(path: "\(home.safe.path)/\(name)") }
  }

  /// The words of the process itself, which stays in the foreground of its own session, in this run directory.
  func words(in directory: String) -> [String] {
    let own = words.prefix { $0 != "--" }
    let detach = FleetOption.detach.spec
    return ["up"] + own.filter { $0 != detach.flag } + [
      detach.negation ?? "", FleetOption.runDirectory.spec.flag, directory,
    ] + words.dropFirst(own.count)
  }

  /// An environment with its variables in the place of all others for options.
  func environment(in environment: [String: String]) -> [String: String] {
    var result = environment.filter { !$0.key.hasPrefix(OptionSpec.variablePrefix) }
    for variable in variables {
      let pair = variable.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      result[String(pair[0])] = pair.count == 2 ? String(pair[1]) : ""
    }
    return result
  }
}
